/** Which account acts for whom: a role's own, or Legion's where a role has none. */
import type { Clock } from '../domain/clock.ts';
import type { Environment } from '../domain/environment.ts';
import { type Account, type AccountName, openAccount } from './account.ts';
import type { Addresses } from './addresses.ts';
import { ambientToken } from './ambient.ts';
import { type AppTokens, appTokens, type GithubApp } from './app-tokens.ts';
import type { Role } from './client.ts';
import type { Place } from './installation.ts';
import { fixedToken, type TokenSource } from './token-source.ts';
import type { Transport } from './transport.ts';

/** Secrets as text; reading references to them is the configuration's. */
type Identity = ({ readonly kind: 'app' } & GithubApp) | { readonly kind: 'token'; readonly token: string };

/** Whoever is absent falls back: a role to Legion itself, Legion itself to what lies about on the machine. */
export type Identities = { readonly [Name in AccountName]?: Identity | undefined };

export interface Accounts {
  of(role: Role | undefined): Account;
  /** The App behind an account; undefined where it has a token instead. */
  app(account: Account): AppTokens | undefined;
}

export interface AccountsOptions {
  readonly identities: Identities;
  readonly environment: Environment;
  readonly addresses: Addresses;
  readonly place: Place | undefined;
  readonly transport: Transport;
  readonly clock: Clock;
}

export function openAccounts(options: AccountsOptions): Accounts {
  const { identities, environment, addresses, clock } = options;
  const apps = new Map<AccountName, AppTokens>();

  function sourceOf(name: AccountName, identity: Identity): TokenSource {
    if (identity.kind === 'token')
      return fixedToken(identity.token, `credentials.github.${name === 'legion' ? 'token' : name}`);
    const app = appTokens(identity, options);
    apps.set(name, app);
    return app;
  }

  const legion = openAccount(
    'legion',
    identities.legion === undefined
      ? ambientToken(environment, addresses)
      : sourceOf('legion', identities.legion),
    clock,
  );
  const roleAccount = (role: Role): Account => {
    const identity = identities[role];
    return identity === undefined ? legion : openAccount(role, sourceOf(role, identity), clock);
  };
  const roles = { impl: roleAccount('impl'), review: roleAccount('review') };

  return {
    of: (role) => (role === undefined ? legion : roles[role]),
    app: ({ name }) => apps.get(name),
  };
}
