/** Opens GitHub for a legion: the client, in the names that the configuration gives to Legion and its roles. */

import { join } from 'node:path';
import { z } from 'zod';
import type { LegionConfig } from '../config/legion/schema.ts';
import { requireReference } from '../config/reference.ts';
import type { Clock } from '../domain/clock.ts';
import type { Environment } from '../domain/environment.ts';
import { addressesOf } from '../github/addresses.ts';
import type { GithubClient } from '../github/client.ts';
import { identityLines } from '../github/identity-lines.ts';
import type { Github } from '../github/open.ts';
import type { Identities } from '../integrations/github/client/accounts.ts';
import { systemClock } from '../lib/async/system-clock.ts';
import { repositoryName } from './compose-clone.ts';
import type { RepositoryEntry } from './compose-ground.ts';
import { askedOrRemembered } from './compose-remembered.ts';
import type { WorldOptions } from './compose-world.ts';
import type { AskPermissions } from './preflight/permissions.ts';

export function usesGithub({ backend, forge }: LegionConfig): boolean {
  return backend === 'github' || forge === 'github';
}

/** Loaded only where it is used: a legion of one machine needs neither the memory nor the time. */
export async function openGithubOf(
  config: LegionConfig,
  environment: Environment,
  clock: Clock,
): Promise<Github> {
  const { openGithub } = await import('../github/open.ts');
  return openGithub({
    ...{ url: config.github.url, environment, clock },
    identities: identitiesOf(config, environment),
    place: placeOf(config),
    writeSpacingMs: config.github.write_spacing,
  });
}

/** Everything about GitHub that tracker, forge and receivers share; rejects where GitHub is away and was never asked before. */
export async function openGithubSide(
  { config, environment, state, tell }: Pick<WorldOptions, 'config' | 'environment' | 'state' | 'tell'>,
  entries: readonly RepositoryEntry[],
  opened: (() => Promise<unknown>)[],
) {
  const client = await openGithubOf(config(), environment, systemClock);
  opened.push(() => client.close());
  const repositories = entries.map(({ repo }) => {
    const { owner, name } = repositoryName(repo);
    return `${owner}/${name}`;
  });
  const accounts = await ownAccounts(client, state.state);
  for (const line of identityLines(await client.credentials.describeIdentity())) tell({}, line);
  return { client, accounts, repositories, web: addressesOf(config().github.url).web };
}

/** The board is asked about where it is on GitHub, too. */
export function githubPermissions(
  config: LegionConfig,
  { client, repositories }: { readonly client: Github; readonly repositories: readonly string[] },
): AskPermissions {
  const [owner = '', number = ''] = config.legion.split('/');
  const project = config.backend === 'github' ? { owner, number: Number(number) } : undefined;
  const places = repositories.map((name) => {
    const [of = '', repo = ''] = name.split('/');
    return { owner: of, repo };
  });
  return async (signal) => {
    const { findMissingPermissions } = await import('../github/missing-permissions.ts');
    return findMissingPermissions(client, { project, repositories: places }, signal);
  };
}

/** A repository of the legion, or the owner of its board: there an App without an installation id is looked for. */
function placeOf({ repos, legion }: LegionConfig): { readonly owner: string; readonly repo?: string } {
  const [first] = repos;
  if (first === undefined) return { owner: legion.split('/')[0] ?? legion };
  const { owner, name } = repositoryName(first.repo);
  return { owner, repo: name };
}

function identitiesOf({ credentials: { github } }: LegionConfig, environment: Environment): Identities {
  return {
    legion: identityOf('', github, environment),
    impl: identityOf('impl.', github.impl ?? {}, environment),
    review: identityOf('review.', github.review ?? {}, environment),
  };
}

interface Named {
  readonly token?: string | undefined;
  readonly app_id?: number | undefined;
  readonly installation_id?: number | undefined;
  readonly private_key?: string | undefined;
}

function identityOf(at: string, named: Named, environment: Environment): Identities['legion'] {
  const { token, app_id: appId, installation_id: installationId, private_key: privateKey } = named;
  if (appId !== undefined && privateKey !== undefined)
    return {
      ...{ kind: 'app', appId, installationId },
      privateKey: requireReference(`credentials.github.${at}private_key`, privateKey, environment),
    };
  return token === undefined
    ? undefined
    : { kind: 'token', token: requireReference(`credentials.github.${at}token`, token, environment) };
}

const FILE = 'github-accounts.json';
const remembered = z.object({ accounts: z.array(z.string().min(1).max(200)).min(1).max(10) });

/**
 * Legion's own accounts on GitHub: asked for at the start, and remembered for a start while GitHub is away.
 * Rejects where GitHub does not answer and nobody has asked before.
 */
async function ownAccounts(client: Pick<GithubClient, 'login'>, state: string): Promise<readonly string[]> {
  const { accounts } = await askedOrRemembered(join(state, FILE), remembered, async () => {
    const logins = await Promise.all([client.login(), client.login('impl'), client.login('review')]);
    return { accounts: [...new Set(logins)] };
  });
  return accounts;
}
