/** The local clone of the repository on GitHub: which commits it has, and how it gets those it lacks. */

import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ONLY_COMMITS } from '../../../forges/incoming.ts';
import { SHA } from '../../../forges/sha.ts';
import { createMutex } from '../../../lib/async/mutex.ts';
import { type Comparison, comparison } from '../../forge-support/compare.ts';
import { branchRef, type Repository } from '../../forge-support/repository.ts';

/** A commit GitHub does not have may be pushed later, but is not asked for at every look. */
const ABSENT_KEPT_MS = 10 * 60_000;

export interface Clone {
  readonly repository: Repository;
  readonly comparison: Comparison;
  /** Fetches those of the commits that are not here; what GitHub does not have either is left out. */
  bring(shas: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Where a branch stands on GitHub now. */
  headOf(branch: string): Promise<string | undefined>;
  /** Moves a branch on GitHub from where it is expected to stand; undefined for one that must not be there. */
  move(branch: string, from: string | undefined, to: string): Promise<void>;
}

export interface CloneOptions {
  readonly repository: Repository;
  /** The address of the repository, without credentials. */
  readonly remote: string;
  /** What lets git sign in, in its environment alone. */
  readonly access: () => Promise<Readonly<Record<string, string>>>;
  readonly clock: Clock;
}

export function openClone({ repository, remote, access, clock }: CloneOptions): Clone {
  const absent = new Map<string, number>();
  /** Two that fetch the same commits at once would do it twice. */
  const turn = createMutex();

  async function lacking(shas: readonly string[]): Promise<readonly string[]> {
    const now = clock.monotonic();
    const asked = [...new Set(shas)].filter(
      (sha) => SHA.test(sha) && now >= (absent.get(sha) ?? Number.NEGATIVE_INFINITY),
    );
    const found = await Promise.all(asked.map((sha) => repository.commit(sha)));
    return asked.filter((_, index) => found[index] === undefined);
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
      if (!isNotThere(error)) asGithubFault(error);
      // One that is missing fails all of them: each by itself then.
      if (second === undefined) absent.set(first, clock.monotonic() + ABSENT_KEPT_MS);
      else for (const sha of shas) await fetch([sha], signal);
    }
  }

  return {
    repository,
    comparison: comparison(repository),
    bring: (shas, signal) => turn(async () => fetch(await lacking(shas), signal)),
    async headOf(branch) {
      const args = ['ls-remote', '--quiet', '--', remote, branchRef(branch)];
      const { out } = await repository.run(args, { env: await access() }).catch(asGithubFault);
      const line = out.split('\n').find((each) => each.split('\t')[1] === branchRef(branch));
      return line?.split('\t')[0];
    },
    async move(branch, from, to) {
      const ref = branchRef(branch);
      const args = ['push', '--quiet', '--no-verify', '--recurse-submodules=no'];
      const lease = `--force-with-lease=${ref}:${from ?? ''}`;
      await repository
        .run([...args, lease, '--', remote, `${to}:${ref}`], { env: await access() })
        .catch(asGithubFault);
    },
  };
}

/** The first that fits; git is run with LC_ALL=C, so its own words are the same everywhere. */
const BY_WORDS: readonly (readonly [RegExp, FaultCode])[] = [
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

/** For `catch`: rejects with the fault that git's words are, or with what it was. */
function asGithubFault(error: unknown): never {
  if (!(error instanceof LegionError)) throw error;
  if (error.code === 'git.timeout')
    throw new LegionError('github.unavailable', error.message, { cause: error });
  const code =
    error.code === 'git.failed' ? BY_WORDS.find(([words]) => words.test(error.message))?.[1] : undefined;
  throw code === undefined ? error : new LegionError(code, error.message, { cause: error });
}

/** GitHub was reached and has no such commit. */
function isNotThere(error: unknown): boolean {
  return (
    error instanceof LegionError &&
    /not our ref|couldn't find remote ref|unadvertised object/.test(error.message)
  );
}
