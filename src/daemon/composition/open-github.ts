/** Opens the GitHub client with the identities configured for Legion and for its workers' roles. */

import { join } from 'node:path';
import { z } from 'zod';
import { type LegionConfig, parseRepositoryName, type RepositoryEntry } from '../../config/legion/schema.ts';
import { requireReference } from '../../config/secret-reference.ts';
import type { Clock } from '../../core/model/clock.ts';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { toWorkerRole, type WorkerRole } from '../../core/model/mode.ts';
import type { GithubIdentities } from '../../integrations/github/client/accounts.ts';
import type { GithubClient } from '../../integrations/github/client/client.ts';
import { describeIdentities } from '../../integrations/github/client/credentials.ts';
import type { GithubConnection } from '../../integrations/github/client/open.ts';
import { parseAddresses } from '../../integrations/github/client/transport.ts';
import { systemClock } from '../../lib/async/system-clock.ts';
import type { AgentAssignment } from '../context/daemon-context.ts';
import type { Repositories } from '../context/repository.ts';
import type { PermissionCheck } from '../preflight/preflight.ts';
import { fetchWithFileFallback } from '../repositories/routing.ts';

export function isGithubUsed({ backend, forge }: LegionConfig): boolean {
  return backend === 'github' || forge === 'github';
}

/** Imported only when used, to save memory and startup time for local legions. */
export async function openGithubClient(
  config: LegionConfig,
  environment: EnvironmentVariables,
  clock: Clock,
): Promise<GithubConnection> {
  const { openGithub } = await import('../../integrations/github/client/open.ts');
  return openGithub({
    url: config.github.url,
    environment,
    clock,
    identities: resolveIdentities(config, environment),
    place: resolveInstallationTarget(config),
    writeSpacingMs: config.github.write_spacing,
  });
}

interface GithubServicesOptions {
  readonly config: () => LegionConfig;
  readonly environment: EnvironmentVariables;
  /** The legion's state directory. */
  readonly state: string;
  readonly log: (what: object, message: string) => void;
}

export interface GithubServices {
  readonly client: GithubConnection;
  /** Legion's own accounts. */
  readonly accounts: readonly string[];
  /** `owner/name` of the legion's repositories. */
  readonly repositories: readonly string[];
  /** GitHub's base URL for web and git. */
  readonly web: string;
}

/**
 * Opens the services that the tracker, the forge and the webhook receivers share. Rejects if GitHub
 * is unreachable and no earlier response is cached.
 */
export async function openGithubServices(
  { config, environment, state, log }: GithubServicesOptions,
  entries: readonly RepositoryEntry[],
  opened: (() => Promise<unknown>)[],
): Promise<GithubServices> {
  const client = await openGithubClient(config(), environment, systemClock);
  opened.push(() => client.close());
  const repositories = entries.map(({ repo }) => {
    const { owner, name } = parseRepositoryName(repo);
    return `${owner}/${name}`;
  });
  const accounts = await fetchOwnAccounts(client, state);
  for (const line of describeIdentities(await client.credentials.describeIdentity())) log({}, line);
  return { client, accounts, repositories, web: parseAddresses(config().github.url).web };
}

/**
 * Creates the check for Legion's permissions on GitHub, including those for the board if the board
 * is on GitHub.
 */
export function createGithubPermissionCheck(
  config: LegionConfig,
  { client, repositories }: { readonly client: GithubConnection; readonly repositories: readonly string[] },
): PermissionCheck {
  const [owner = '', number = ''] = config.legion.split('/');
  const project = config.backend === 'github' ? { owner, number: Number(number) } : undefined;
  const targets = repositories.map((name) => {
    const [of = '', repo = ''] = name.split('/');
    return { owner: of, repo };
  });
  return async (signal) => {
    const { findMissingPermissions } = await import('../../integrations/github/client/check-access.ts');
    return findMissingPermissions(client, { project, repositories: targets }, signal);
  };
}

/**
 * Returns a repository of the legion, or the owner of its board. If no installation id is
 * configured, GitHub looks up the App's installation by this repository or owner.
 */
function resolveInstallationTarget({ repos, legion }: LegionConfig): {
  readonly owner: string;
  readonly repo?: string;
} {
  const [first] = repos;
  if (first === undefined) return { owner: legion.split('/')[0] ?? legion };
  const { owner, name } = parseRepositoryName(first.repo);
  return { owner, repo: name };
}

function resolveIdentities(
  { credentials: { github } }: LegionConfig,
  environment: EnvironmentVariables,
): GithubIdentities {
  return {
    legion: resolveIdentity('', github, environment),
    impl: resolveIdentity('impl.', github.impl ?? {}, environment),
    review: resolveIdentity('review.', github.review ?? {}, environment),
  };
}

interface CredentialReferences {
  readonly token?: string | undefined;
  readonly app_id?: number | undefined;
  readonly installation_id?: number | undefined;
  readonly private_key?: string | undefined;
}

function resolveIdentity(
  at: string,
  named: CredentialReferences,
  environment: EnvironmentVariables,
): GithubIdentities['legion'] {
  const { token, app_id: appId, installation_id: installationId, private_key: privateKey } = named;
  if (appId !== undefined && privateKey !== undefined)
    return {
      kind: 'app',
      appId,
      installationId,
      privateKey: requireReference(`credentials.github.${at}private_key`, privateKey, environment),
    };
  return token === undefined
    ? undefined
    : { kind: 'token', token: requireReference(`credentials.github.${at}token`, token, environment) };
}

const ACCOUNTS_FILE = 'github-accounts.json';
const accountsSchema = z.object({ accounts: z.array(z.string().min(1).max(200)).min(1).max(10) });

/**
 * Returns Legion's own GitHub accounts. They are read at startup and cached, so that the daemon can
 * start while GitHub is unreachable. Rejects if GitHub does not respond and nothing is cached.
 */
async function fetchOwnAccounts(
  client: Pick<GithubClient, 'login'>,
  state: string,
): Promise<readonly string[]> {
  const { accounts } = await fetchWithFileFallback(join(state, ACCOUNTS_FILE), accountsSchema, async () => {
    const logins = await Promise.all([client.login(), client.login('impl'), client.login('review')]);
    return { accounts: [...new Set(logins)] };
  });
  return accounts;
}

/** The part of the forge's credentials that workers use. */
interface RoleCredentials {
  gitIdentity(role: WorkerRole): Promise<{ readonly name: string; readonly email: string }>;
  /** Resolves to undefined if the role has no identity of its own. */
  workerToken(
    role: WorkerRole,
    repositories: readonly string[],
  ): Promise<{ readonly token: string } | undefined>;
}

export interface RoleEnvironmentOptions {
  /** Absent if the legion does not use GitHub. */
  readonly credentials: RoleCredentials | undefined;
  readonly config: LegionConfig;
  readonly repositories: Repositories;
}

/**
 * Builds the variables of a worker's GitHub identity: the commit author and, if the agent may use
 * `gh`, a token. Each attempt gets a new token, limited to its role and repository. A role without
 * an identity of its own gets no token.
 */
export async function buildRoleEnvironment(
  { mode, issue }: AgentAssignment,
  { credentials, config, repositories }: RoleEnvironmentOptions,
): Promise<Readonly<Record<string, string>>> {
  if (credentials === undefined) return {};
  const role = toWorkerRole(mode);
  const { name, email } = await credentials.gitIdentity(role);
  const identity = {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
  const repository = issue === undefined ? undefined : repositories.find(issue);
  if (config.credentials.github.workers === 'none' || repository === undefined) return identity;
  const token = await credentials.workerToken(role, [repository.name]);
  return token === undefined ? identity : { ...identity, GH_TOKEN: token.token };
}
