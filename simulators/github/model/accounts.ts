/** Creates users, organizations, their tokens, and GitHub Apps with one installation each. */
import type { InstalledApp, NewApp } from '../simulator.ts';
import { getAppKeys } from './app-keys.ts';
import type { Account } from './nodes.ts';
import type { AppInstallation, GithubWorld } from './world.ts';

export function addAccount(world: GithubWorld, login: string, type: Account['type']): Account {
  const key = login.toLowerCase();
  const known = world.accounts.get(key);
  if (known !== undefined) return known;
  const prefix = { User: 'U', Organization: 'O', Bot: 'BOT' }[type];
  const account = world.add<Account>({ ...world.identity(prefix), type, login, members: new Set() });
  world.accounts.set(key, account);
  return account;
}

export function addToken(world: GithubWorld, login: string, scopes: readonly string[] | undefined): string {
  const account = world.account(login);
  const value = `ghp_${login}${String(world.identity('T').databaseId).padStart(30, '0')}`;
  world.tokens.set(value, { value, account, scopes });
  return value;
}

export function addApp(world: GithubWorld, app: NewApp): InstalledApp {
  const { privateKey, publicKey } = getAppKeys(world.installations.size);
  const installation: AppInstallation = {
    appId: world.identity('A').databaseId,
    id: world.identity('I').databaseId,
    slug: app.slug,
    owner: world.account(app.owner),
    bot: addAccount(world, `${app.slug}[bot]`, 'Bot'),
    publicKey,
    permissions: app.permissions,
  };
  world.installations.set(installation.id, installation);
  return { appId: installation.appId, installationId: installation.id, privateKey };
}
