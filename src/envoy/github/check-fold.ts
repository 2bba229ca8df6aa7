/**
 * Folds what is told about the checks of a commit into one summary, pure: a commit's window opens with the first word about it and
 * closes when nothing more comes, or when it has been open for long.
 */
import type { RepositoryName } from '../receiver.ts';
import { type CheckState, type CheckSummary, isSameSummary, summaryOf } from './check-summary.ts';

/** GitHub tells of a run, its suite and its workflow within about a second. */
export const QUIET_MS = 2_000;
/** A matrix of jobs that end one after another must not keep the summary back for ever. */
export const LONGEST_MS = 10_000;
/** Commits whose checks are remembered, to tell what has changed: those of all open pull requests of a large board, twice. */
export const COMMITS_MOST = 500;
/** Checks of one commit; the largest matrix GitHub allows has 256 jobs. More only wake. */
export const CHECKS_MOST = 600;
/** Branches, and pull requests, at one commit. GitHub names at most ten. */
export const PLACES_MOST = 50;

/** One word about one check of a commit. */
export interface CheckSeen extends RepositoryName {
  readonly sha: string;
  readonly branches: readonly string[];
  readonly pullRequests: readonly number[];
  readonly check: CheckState;
}

interface Commit extends Omit<CheckSeen, 'check'> {
  readonly checks: ReadonlyMap<string, CheckState>;
  /** While the window is open: since when, and when something came last. */
  readonly window: { readonly openedAt: number; readonly lastAt: number } | undefined;
  readonly told: CheckSummary | undefined;
}

/** By repository and commit; those that something came of last are last. */
export interface Checks {
  readonly commits: ReadonlyMap<string, Commit>;
  /** A commit was forgotten while its window was open. */
  readonly isLossy: boolean;
}

export const NO_CHECKS: Checks = { commits: new Map(), isLossy: false };

export interface Closed {
  readonly commit: Commit;
  /** Undefined where it says what was told before. */
  readonly summary: CheckSummary | undefined;
}

export interface Due {
  readonly checks: Checks;
  readonly closed: readonly Closed[];
  readonly isLossy: boolean;
}

/** Takes in one word; when it comes twice, late or before an earlier one, the same is known afterwards. */
export function withCheck({ commits, isLossy }: Checks, seen: CheckSeen, now: number): Checks {
  const key = `${seen.owner}/${seen.repo}@${seen.sha}`.toLowerCase();
  const { check, ...place } = seen;
  const known: Commit = commits.get(key) ?? {
    ...place,
    checks: new Map(),
    window: undefined,
    told: undefined,
  };
  const next = new Map(commits);
  next.delete(key);
  next.set(key, {
    ...known,
    branches: some([...known.branches, ...seen.branches]),
    pullRequests: some([...known.pullRequests, ...seen.pullRequests]),
    checks: withNewer(known.checks, check),
    window: { openedAt: known.window?.openedAt ?? now, lastAt: now },
  });
  if (next.size <= COMMITS_MOST) return { commits: next, isLossy };
  const forgotten = [...next].find(([, { window }]) => window === undefined) ?? [...next][0];
  if (forgotten === undefined) return { commits: next, isLossy };
  next.delete(forgotten[0]);
  return { commits: next, isLossy: isLossy || forgotten[1].window !== undefined };
}

/** When the next window closes; undefined where none is open. No later word ever makes it earlier. */
export function closesAt({ commits }: Checks): number | undefined {
  const times = [...commits.values()].flatMap(({ window }) =>
    window === undefined ? [] : [closing(window)],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Closes every window that is due. */
export function closeDue({ commits, isLossy }: Checks, now: number): Due {
  const next = new Map(commits);
  const closed: Closed[] = [];
  for (const [key, commit] of commits) {
    if (commit.window === undefined || closing(commit.window) > now) continue;
    const summary = summaryOf([...commit.checks.values()]);
    const { told } = commit;
    const isNews = summary !== undefined && (told === undefined || !isSameSummary(told, summary));
    closed.push({ commit, summary: isNews ? summary : undefined });
    next.set(key, { ...commit, window: undefined, told: summary });
  }
  return { checks: { commits: next, isLossy: false }, closed, isLossy };
}

function closing({ openedAt, lastAt }: { readonly openedAt: number; readonly lastAt: number }): number {
  return Math.min(lastAt + QUIET_MS, openedAt + LONGEST_MS);
}

function withNewer(checks: ReadonlyMap<string, CheckState>, check: CheckState) {
  const known = checks.get(check.key);
  if (known === undefined ? checks.size >= CHECKS_MOST : !isNewer(check, known)) return checks;
  return new Map(checks).set(check.key, check);
}

/** A later try of the same has a larger id; within one, the later word counts, and of two in the same second the worse. */
function isNewer(one: CheckState, other: CheckState): boolean {
  const order = ['pending', 'passing', 'failing'];
  const rank = ({ verdict }: CheckState) => order.indexOf(verdict);
  return (one.id - other.id || one.at - other.at || rank(one) - rank(other)) > 0;
}

function some<T>(places: readonly T[]): readonly T[] {
  return [...new Set(places)].slice(0, PLACES_MOST);
}
