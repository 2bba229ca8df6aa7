/** Opens a legion's repositories with their forges and maps issues to repositories. */

import type { LegionConfig } from '../../config/legion/schema.ts';
import { parseRepositoryName, type RepositoryEntry } from '../../config/legion/schema.ts';
import type { LegionPaths } from '../../config/paths.ts';
import type { Clock } from '../../core/model/clock.ts';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError, toError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import { isOneOf } from '../../integrations/github/client/account.ts';
import type { IssueReference } from '../../integrations/github/client/issue-reference.ts';
import type { GithubConnection } from '../../integrations/github/client/open.ts';
import { openLocalForge } from '../../integrations/local/forge/local-forge.ts';
import {
  buildPullRequestUrl,
  findPullRequestNumbers,
} from '../../integrations/tracker-support/pull-request-address.ts';
import type { Forge } from '../../ports/forge.ts';
import type { ActiveProblems } from '../context/active-problems.ts';
import {
  createRepositories,
  type OpenRepositories,
  type RoutingPolicy,
} from '../repositories/repositories.ts';
import type { IssueRouter } from '../repositories/routing.ts';
import {
  openCloneSource,
  openFolderSource,
  type RepositorySource,
  requireEnclosingRepository,
} from './clone.ts';
import type { GithubServices } from './open-github.ts';
import {
  type ForgeParts,
  type OpenRepository,
  openRepository,
  type RepositoryOptions,
} from './open-repository.ts';

export interface OpenRepositoriesOptions extends Omit<RepositoryOptions, 'openForge'> {
  /** Read on every use, because the configuration may be reloaded. */
  readonly config: () => LegionConfig;
  /** Directory of `legion.yaml`. */
  readonly folder: string;
  readonly paths: LegionPaths;
  /** Absent if the legion does not use GitHub. */
  readonly github: GithubServices | undefined;
  /** Returns the issue as it was last read from the board. */
  readonly findSeenIssue: (issue: IssueId) => Issue | undefined;
  /**
   * Assigns issues to repositories if the board is not tied to one repository, as on Linear. Absent
   * if each issue already belongs to a repository or the legion has only one.
   */
  readonly router?: IssueRouter | undefined;
  /**
   * Calls `listener` with each branch that a webhook reports as changed. Returns an unsubscribe
   * function.
   */
  readonly news: (listener: (branch: string) => void) => () => void;
  /** Wraps a forge so that only the leader writes to it. */
  readonly fenceForge: (forge: Forge) => Forge;
}

/**
 * Returns the configured repositories. If none is configured, returns the repository that contains
 * `legion.yaml`.
 */
export async function resolveRepositoryEntries({
  config,
  folder,
  environment,
}: Pick<OpenRepositoriesOptions, 'config' | 'folder' | 'environment'>): Promise<RepositoryEntry[]> {
  const { repos, forge, github } = config();
  refuseSameIds(repos);
  if (repos.length > 0 || forge === 'local') return [...repos];
  return [await requireEnclosingRepository(folder, github.url, environment)];
}

/**
 * Rejects a configuration with both `a-b/c` and `a/b-c`: their issues would have the same ids, and
 * work could land in the wrong repository.
 */
function refuseSameIds(entries: readonly RepositoryEntry[]): void {
  const byPrefix = Map.groupBy(entries, ({ repo }) => buildIdPrefix(repo));
  for (const [first, second] of byPrefix.values()) {
    if (first === undefined || second === undefined) continue;
    const message = `repos: issues of ${first.repo} and ${second.repo} would have the same ids.`;
    throw new LegionError('config.invalid', message);
  }
}

export async function openRepositories(
  entries: readonly RepositoryEntry[],
  options: OpenRepositoriesOptions,
  opened: (() => Promise<unknown>)[],
): Promise<OpenRepositories<OpenRepository>> {
  const { config } = options;
  const sources = await openRepositorySources(entries, options);
  const all: OpenRepository[] = [];
  for (const source of sources) {
    const repository = await openRepository(source, {
      ...options,
      openForge: (parts) => {
        const { github, news } = options;
        if (config().forge === 'local' || github === undefined)
          return openRepositoryLocalForge(parts, options);
        return openRepositoryGithubForge(parts, options, {
          ...github,
          news,
          issueOf: createIssueLocator(options, source),
          attached: createAttachmentLookup(options, source, github.web),
          isTrusted: (login) => isTrusted(config(), login),
        });
      },
    });
    opened.push(() => repository.close());
    all.push({
      ...repository,
      forge: options.fenceForge(repository.forge),
      ...createPullRequestLinks(options, source),
    });
  }
  return createRepositories(all, createRoutingPolicy(config(), options.router), config, options);
}

async function openRepositorySources(
  entries: readonly RepositoryEntry[],
  options: OpenRepositoriesOptions,
): Promise<RepositorySource[]> {
  const { config, folder, environment, paths, github } = options;
  if (config().forge === 'local' || github === undefined)
    return [await openFolderSource(entries[0], folder, environment)];
  const { web, client } = github;
  const getAccess = () => client.credentials.gitAccess();
  return Promise.all(
    entries.map((entry) => openCloneSource(entry, { paths, web, environment, access: getAccess })),
  );
}

/** Applies the same trust rule as the tracker. */
function isTrusted({ authors }: LegionConfig, login: string): boolean {
  return authors.trust === 'anyone' || isOneOf(login, authors.also);
}

/**
 * Maps an issue to its repository. On GitHub, that is the repository in which the issue was
 * created; on Linear, the one that its label or project selects; otherwise, the only repository.
 */
function createRoutingPolicy(
  { backend }: LegionConfig,
  router: IssueRouter | undefined,
): RoutingPolicy<OpenRepository> {
  return {
    belongs: (issue, { name }) =>
      backend === 'github'
        ? parseIssueNumber(issue, name) !== undefined
        : router === undefined || router.findRepository(issue) === name,
    assign: (issue, { name }) => router?.assign(issue, name),
    reportMismatches: () => router?.reportMismatches(),
  };
}

/**
 * Locates an issue by the source that the last board read recorded. Before the first reconcile pass
 * after a restart, parses the issue id instead.
 */
function createIssueLocator(
  { findSeenIssue: seen }: OpenRepositoriesOptions,
  { name }: RepositorySource,
): (issue: IssueId) => IssueReference | undefined {
  return (issue) => {
    const source = seen(issue)?.source;
    if (source?.kind === 'github') return source;
    const number = parseIssueNumber(issue, name);
    const { owner, name: repo } = parseRepositoryName(name);
    return number === undefined ? undefined : { owner, repo, number };
  };
}

/** Finds pull requests by the links on the issue. */
function createAttachmentLookup(
  { findSeenIssue: seen }: OpenRepositoriesOptions,
  { name }: RepositorySource,
  web: string,
) {
  return (issue: IssueId) => findPullRequestNumbers(seen(issue)?.links ?? [], web, parseRepositoryName(name));
}

function createPullRequestLinks(
  { config, github }: OpenRepositoriesOptions,
  { name }: RepositorySource,
): Pick<OpenRepository, 'addressOf'> {
  if (config().forge !== 'github' || github === undefined) return {};
  return { addressOf: (number) => buildPullRequestUrl(github.web, parseRepositoryName(name), number) };
}

/**
 * Compares the id with each configured repository name as a whole, because splitting the id could
 * yield the wrong repository.
 */
function parseIssueNumber(issue: IssueId, repository: string): number | undefined {
  const prefix = buildIdPrefix(repository);
  if (!issue.toLowerCase().startsWith(prefix)) return undefined;
  const number = issue.slice(prefix.length);
  return /^[1-9]\d{0,9}$/.test(number) ? Number(number) : undefined;
}

function buildIdPrefix(repository: string): string {
  const { owner, name } = parseRepositoryName(repository);
  return `${owner}-${name}-`.toLowerCase();
}

/** Dependencies shared by the local and the GitHub forge. */
interface ForgeDependencies {
  readonly environment: EnvironmentVariables;
  readonly clock: Clock;
  readonly problems: ActiveProblems;
}

/** Runs the repository's own CI command locally. */
function openRepositoryLocalForge(
  { source, state, rules, runCi }: ForgeParts,
  { environment, clock, problems }: ForgeDependencies,
): Promise<Forge> {
  return openLocalForge({
    repository: source.path,
    base: source.base,
    state,
    clock,
    environment,
    identity: { name: 'Legion', email: 'legion@localhost' },
    ci: {
      isConfigured: () => {
        const { config, approved } = rules.current();
        return approved && config.commands.ci !== undefined;
      },
      async run(checkout, sha, signal) {
        const { verdict, why, tail } = await runCi(checkout, sha, signal);
        return { verdict, name: 'ci', logTail: `${why}\n${tail}` };
      },
    },
    onFault: (fault) => problems.report('forge', toError(fault)),
  });
}

interface GithubForgeDependencies {
  readonly client: GithubConnection;
  readonly accounts: readonly string[];
  /** GitHub's base URL for git. */
  readonly web: string;
  readonly issueOf: (issue: IssueId) => IssueReference | undefined;
  readonly attached: (issue: IssueId) => readonly number[];
  /** Whether to trust a login without write access to the repository. */
  readonly isTrusted: (login: string) => boolean;
  readonly news: (listener: (branch: string) => void) => () => void;
}

async function openRepositoryGithubForge(
  { source }: ForgeParts,
  { environment, clock, problems }: ForgeDependencies,
  { client, accounts, web, issueOf, attached, news, isTrusted }: GithubForgeDependencies,
): Promise<Forge> {
  const { openGithubForge } = await import('../../integrations/github/forge/github-forge.ts');
  return openGithubForge({
    client,
    repo: parseRepositoryName(source.name),
    base: source.base,
    clone: source.path,
    issueOf,
    attached,
    news,
    clock,
    environment,
    remote: `${web}/${source.name}.git`,
    access: (role) => client.credentials.gitAccess(role),
    identity: () => client.credentials.gitIdentity('impl'),
    isLegion: (login) => isOneOf(login, accounts),
    isTrusted,
    permissions: client.permissions,
    onFault: (fault) => problems.report(`forge of ${source.name}`, toError(fault)),
  });
}
