/** Opens the repositories a legion works on, with their forges, and says which of them an issue belongs to. */
import type { LegionConfig } from '../config/legion/schema.ts';
import { LegionError, toError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Clock } from '../domain/clock.ts';
import type { Environment } from '../domain/environment.ts';
import type { Issue } from '../domain/issue.ts';
import { openLocalForge } from '../forges/local/local-forge.ts';
import { isOneOf } from '../github/logins.ts';
import type { Github } from '../github/open.ts';
import type { IssuePlace } from '../integrations/github/client/issue-reference.ts';
import { pullRequestAddress, pullRequestsIn } from '../integrations/tracker-support/pull-request-address.ts';
import type { Forge } from '../ports/forge.ts';
import { cloneGround, repositoryAround, repositoryName } from './compose-clone.ts';
import { folderGround, type Ground, type RepositoryEntry } from './compose-ground.ts';
import type { Places } from './compose-places.ts';
import { type Belonging, type OpenRepositories, repositoriesOf } from './compose-repositories.ts';
import type { GithubSide } from './compose-tracker.ts';
import type { WorldOptions } from './compose-world.ts';
import type { ForgeParts } from './composition/open-repository.ts';
import {
  type OpenRepository,
  openRepository,
  type RepositoryOptions,
} from './composition/open-repository.ts';
import type { Troubles } from './troubles.ts';

export interface CodeOptions extends Omit<RepositoryOptions, 'openForge' | 'state'> {
  readonly world: WorldOptions;
  /** Where the legion is on GitHub. */
  readonly github: (GithubSide & { readonly web: string }) | undefined;
  /** The issue as it was last seen. */
  readonly seen: (issue: IssueId) => Issue | undefined;
  /** Whose an issue is on a board that holds no code; absent where the board says so itself. */
  readonly places?: Places | undefined;
  /** Hears of branches that webhooks name. */
  readonly news: (listener: (branch: string) => void) => () => void;
  /** Whose writes only the leader makes. */
  readonly guarded: (forge: Forge) => Forge;
}

/** Entries of the configuration, or the repository around `legion.yaml` where it names none. */
export async function entriesOf({ config, folder, environment }: WorldOptions): Promise<RepositoryEntry[]> {
  const { repos, forge, github } = config();
  refuseSameIds(repos);
  if (repos.length > 0 || forge === 'local') return [...repos];
  return [await repositoryAround(folder, github.url, environment)];
}

/** `a-b/c` and `a/b-c`: an id could be of either, and the work on one would land in the other. */
function refuseSameIds(entries: readonly RepositoryEntry[]): void {
  const byPrefix = Map.groupBy(entries, ({ repo }) => idPrefix(repo));
  for (const [first, second] of byPrefix.values()) {
    if (first === undefined || second === undefined) continue;
    const says = `repos: issues of ${first.repo} and ${second.repo} would have the same ids`;
    throw new LegionError('config.invalid', says);
  }
}

export async function openCode(
  entries: readonly RepositoryEntry[],
  options: CodeOptions,
  opened: (() => Promise<unknown>)[],
): Promise<OpenRepositories> {
  const { world } = options;
  const grounds = await groundsOf(entries, options);
  const all: OpenRepository[] = [];
  for (const ground of grounds) {
    const repository = await openRepository(ground, {
      ...options,
      state: world.state.state,
      openForge: (parts) => {
        const { github, news } = options;
        if (world.config().forge === 'local' || github === undefined) return localForge(parts, options);
        return githubForge(parts, options, {
          ...{ ...github, news, issueOf: placesOf(options, ground) },
          attached: attachedTo(options, ground, github.web),
          isTrusted: (login) => isTrusted(world.config(), login),
        });
      },
    });
    opened.push(() => repository.close());
    all.push({ ...repository, forge: options.guarded(repository.forge), ...pages(options, ground) });
  }
  return repositoriesOf(all, belonging(world.config(), options.places), world.config, options);
}

async function groundsOf(entries: readonly RepositoryEntry[], options: CodeOptions): Promise<Ground[]> {
  const { world, github } = options;
  const { folder, environment, paths } = world;
  if (world.config().forge === 'local' || github === undefined)
    return [await folderGround(entries[0], folder, environment)];
  const { web, client } = github;
  const access = () => client.credentials.gitAccess();
  return Promise.all(entries.map((entry) => cloneGround(entry, { paths, web, environment, access })));
}

/** By the same rule as on the tracker. */
function isTrusted({ authors }: LegionConfig, login: string): boolean {
  return authors.trust === 'anyone' || isOneOf(login, authors.also);
}

/** On GitHub an issue belongs to the repository it was written in; on Linear to the one it is marked for; else there is only one. */
function belonging({ backend }: LegionConfig, places: Places | undefined): Belonging {
  return {
    belongs: (issue, { name }) =>
      backend === 'github'
        ? numberIn(issue, name) !== undefined
        : places === undefined || places.of(issue) === name,
    settle: (issue, { name }) => places?.settle(issue, name),
    compare: () => places?.compare(),
  };
}

/** What was read says where an issue is; after a restart, before the first look, its id does, as far as it fits. */
function placesOf({ seen }: CodeOptions, { name }: Ground): (issue: IssueId) => IssuePlace | undefined {
  return (issue) => {
    const source = seen(issue)?.source;
    if (source?.kind === 'github') return source;
    const number = numberIn(issue, name);
    const { owner, name: repo } = repositoryName(name);
    return number === undefined ? undefined : { owner, repo, number };
  };
}

/** By the addresses that the tracker shows at the issue. */
function attachedTo({ seen }: CodeOptions, { name }: Ground, web: string) {
  return (issue: IssueId) => pullRequestsIn(seen(issue)?.links ?? [], web, repositoryName(name));
}

function pages({ world, github }: CodeOptions, { name }: Ground): Pick<OpenRepository, 'addressOf'> {
  if (world.config().forge !== 'github' || github === undefined) return {};
  return { addressOf: (number) => pullRequestAddress(github.web, repositoryName(name), number) };
}

/** Only configured names are compared, whole: an id is never taken apart to find out whose it is. */
function numberIn(issue: IssueId, repository: string): number | undefined {
  const prefix = idPrefix(repository);
  if (!issue.toLowerCase().startsWith(prefix)) return undefined;
  const number = issue.slice(prefix.length);
  return /^[1-9]\d{0,9}$/.test(number) ? Number(number) : undefined;
}

function idPrefix(repository: string): string {
  const { owner, name } = repositoryName(repository);
  return `${owner}-${name}-`.toLowerCase();
}

/** Opens the forge of a repository, as the configuration says. */
interface ForgeSurroundings {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly troubles: Troubles;
}

/** Its CI is the repository's own command, run here. */
function localForge(
  { ground, state, rules, runCi }: ForgeParts,
  { environment, clock, troubles }: ForgeSurroundings,
): Promise<Forge> {
  return openLocalForge({
    ...{ repository: ground.path, base: ground.base, state, clock, environment },
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
    onFault: (fault) => troubles.raise('forge', toError(fault)),
  });
}

interface GithubForgeSide {
  readonly client: Github;
  readonly accounts: readonly string[];
  /** Where GitHub has its git. */
  readonly web: string;
  readonly issueOf: (issue: IssueId) => IssuePlace | undefined;
  readonly attached: (issue: IssueId) => readonly number[];
  /** Whether somebody who may not write to the repository is trusted all the same. */
  readonly isTrusted: (login: string) => boolean;
  readonly news: (listener: (branch: string) => void) => () => void;
}

async function githubForge(
  { ground }: ForgeParts,
  { environment, clock, troubles }: ForgeSurroundings,
  { client, accounts, web, issueOf, attached, news, isTrusted }: GithubForgeSide,
): Promise<Forge> {
  const { openGithubForge } = await import('../forges/github/github-forge.ts');
  return openGithubForge({
    ...{ client, repo: repositoryName(ground.name), base: ground.base, clone: ground.path },
    ...{ issueOf, attached, news, clock, environment },
    remote: `${web}/${ground.name}.git`,
    access: (role) => client.credentials.gitAccess(role),
    identity: () => client.credentials.gitIdentity('impl'),
    isLegion: (login) => isOneOf(login, accounts),
    isTrusted,
    permissions: client.permissions,
    onFault: (fault) => troubles.raise(`forge of ${ground.name}`, toError(fault)),
  });
}
