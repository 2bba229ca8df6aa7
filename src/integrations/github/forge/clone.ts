/**
 * The local clone of the GitHub repository: fetches missing commits and pushes a workspace's commits
 * to its branch on GitHub.
 */
import type { Clock } from '../../../core/model/clock.ts';
import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import { createMutex } from '../../../lib/async/mutex.ts';
import { refuseBranch, SHA } from '../../forge-support/clean-text.ts';
import { createComparison } from '../../forge-support/compare.ts';
import {
  fetchIncoming,
  INCOMING,
  isOwnWorkTree,
  ONLY_COMMITS,
  toLastPushRef,
} from '../../forge-support/incoming.ts';
import { type GitRepository, toBranchRef } from '../../forge-support/repository.ts';
import type { GithubClone, GithubForgeContext } from './context.ts';

/**
 * Time before a commit that GitHub does not have is requested again. The commit may be pushed
 * later, but asking on every pass is unnecessary.
 */
const ABSENT_TTL_MS = 10 * 60_000;

export interface CloneOptions {
  readonly repository: GitRepository;
  /** The repository's address, without credentials. */
  readonly remote: string;
  /** Environment that lets git sign in. */
  readonly access: () => Promise<Readonly<Record<string, string>>>;
  readonly clock: Clock;
}

export function openClone({ repository, remote, access, clock }: CloneOptions): GithubClone {
  const absentUntil = new Map<string, number>();
  /** Serialises fetches, so that the same commits are not fetched twice at once. */
  const mutex = createMutex();

  async function findMissing(shas: readonly string[]): Promise<readonly string[]> {
    const now = clock.monotonic();
    const wanted = [...new Set(shas)].filter(
      (sha) => SHA.test(sha) && now >= (absentUntil.get(sha) ?? Number.NEGATIVE_INFINITY),
    );
    const commits = await Promise.all(wanted.map((sha) => repository.commit(sha)));
    return wanted.filter((_, index) => commits[index] === undefined);
  }

  async function fetch(shas: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const [first, second] = shas;
    if (first === undefined) return;
    try {
      await repository.run(['fetch', ...ONLY_COMMITS, '--', remote, ...shas], {
        signal,
        env: await access(),
      });
    } catch (error) {
      if (!isMissingCommit(error)) throwGithubFault(error);
      // One missing commit makes the whole fetch fail, so after a failure each commit is fetched
      // separately.
      if (second === undefined) absentUntil.set(first, clock.monotonic() + ABSENT_TTL_MS);
      else for (const sha of shas) await fetch([sha], signal);
    }
  }

  return {
    repository,
    comparison: createComparison(repository),
    fetchCommits: (shas, signal) => mutex(async () => fetch(await findMissing(shas), signal)),
    async readHead(branch) {
      const args = ['ls-remote', '--quiet', '--', remote, toBranchRef(branch)];
      const { out } = await repository.run(args, { env: await access() }).catch(throwGithubFault);
      const line = out.split('\n').find((each) => each.split('\t')[1] === toBranchRef(branch));
      return line?.split('\t')[0];
    },
    async moveBranch(branch, from, to) {
      const ref = toBranchRef(branch);
      const args = ['push', '--quiet', '--no-verify', '--recurse-submodules=no'];
      const lease = `--force-with-lease=${ref}:${from ?? ''}`;
      await repository
        .run([...args, lease, '--', remote, `${to}:${ref}`], { env: await access() })
        .catch(throwGithubFault);
    },
  };
}

/**
 * Patterns of git's messages; the first match wins. git runs with LC_ALL=C, so its messages are the
 * same everywhere.
 */
const FAULTS_BY_MESSAGE: readonly (readonly [RegExp, FaultCode])[] = [
  [/GH006|GH013|protected branch|repository rule/i, 'forge.protected'],
  [/stale info|\[rejected\]|cannot lock ref|failed to update ref/, 'forge.branch_moved'],
  [
    /returned error: 401|Authentication failed|could not read Username|Invalid username/,
    'github.unauthorized',
  ],
  [/returned error: 403|Permission to \S+ denied|Write access to repository not granted/, 'github.forbidden'],
  [/returned error: 404|Repository not found|repository '[^']*' not found/, 'github.missing'],
  [/\[remote rejected\]/, 'forge.protected'],
  [
    /returned error: (?:408|429|5\d\d)|Could not resolve host|Failed to connect|Couldn't connect|Connection (?:reset|refused|timed out)|early EOF|RPC failed|hung up|Empty reply|unable to access/,
    'github.unavailable',
  ],
];

/**
 * Handler for `catch`: rethrows git's error as a GitHub fault if its text is recognised, otherwise
 * unchanged.
 */
function throwGithubFault(error: unknown): never {
  if (!(error instanceof LegionError)) throw error;
  if (error.code === 'git.timeout')
    throw new LegionError('github.unavailable', error.message, { cause: error });
  const code =
    error.code === 'git.failed'
      ? FAULTS_BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1]
      : undefined;
  throw code === undefined ? error : new LegionError(code, error.message, { cause: error });
}

/** Returns whether GitHub answered that it has no such commit. */
function isMissingCommit(error: unknown): boolean {
  return (
    error instanceof LegionError &&
    /not our ref|couldn't find remote ref|unadvertised object/.test(error.message)
  );
}

/**
 * Moves the branch forward on GitHub. Call only while holding the clone's lock. Moves the branch to
 * a rewritten history only if the branch is still where the last push from this clone left it, so
 * that other people's commits are not lost. Passes the expected head to git, so that the first of
 * two concurrent pushes wins.
 */
export async function pushBranch(
  context: GithubForgeContext,
  branch: string,
  workspace: string,
): Promise<string> {
  const { clone, base } = context;
  const { repository } = clone;
  refuseBranch(branch, base);
  const to = await resolveHead(repository, branch, workspace);
  const from = await clone.readHead(branch);
  if (from !== to) {
    await refuseLoss(clone, branch, from, to);
    await clone.moveBranch(branch, from, to);
  }
  // Recorded only after the push, so that the record never contains a commit that was not pushed.
  await repository.run(['update-ref', toLastPushRef(branch), to]);
  context.changed(branch);
  return to;
}

/**
 * Returns the workspace's head. If the workspace is a separate clone, fetches its commits; a work
 * tree already shares its commits with the repository.
 */
async function resolveHead(repository: GitRepository, branch: string, workspace: string): Promise<string> {
  if (await isOwnWorkTree(repository, branch, workspace)) {
    const sha = await repository.commit(toBranchRef(branch));
    if (sha === undefined) throw new LegionError('forge.branch_missing', `${branch} has no commit yet`);
    return sha;
  }
  const sha = await fetchIncoming(repository, branch, workspace);
  await repository.transact([{ ref: INCOMING, delete: true }]);
  return sha;
}

async function refuseLoss(
  { repository, fetchCommits }: GithubClone,
  branch: string,
  from: string | undefined,
  to: string,
): Promise<void> {
  const lastPush = await repository.commit(toLastPushRef(branch));
  if (from === undefined || from === lastPush) return;
  await fetchCommits([from]);
  if ((await repository.commit(from)) !== undefined && (await repository.isAncestor(from, to))) return;
  const left =
    lastPush === undefined ? 'nothing was pushed from here yet' : `the last push left it at ${lastPush}`;
  throw new LegionError(
    'forge.branch_moved',
    `${branch} is at ${from}, which ${to} does not contain; ${left}`,
  );
}
