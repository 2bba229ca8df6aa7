/**
 * Summarizes the checks of one commit as one verdict with the names of failing checks, and combines
 * check events into such summaries.
 */
import type { WebhookRepository } from '../../../ports/webhooks.ts';

export type CheckVerdict = 'passing' | 'failing' | 'pending';

/** Last known state of one check. */
export interface CheckState {
  /** Identifies the check at its commit. Every rerun of the check has the same key. */
  readonly key: string;
  /**
   * A suite or workflow stands for its runs. If any of these runs is known, the suite or workflow
   * matters only when it reports a failure that no run shows.
   */
  readonly kind: 'run' | 'status' | 'workflow' | 'suite';
  /** Id of the suite to which the check belongs. Undefined for a status. */
  readonly suite: number | undefined;
  readonly name: string;
  readonly id: number;
  /** Milliseconds since 1970, by GitHub's clock. */
  readonly at: number;
  readonly verdict: CheckVerdict;
}

export interface CheckSummary {
  readonly verdict: CheckVerdict;
  /** Sorted alphabetically. */
  readonly failing: readonly string[];
}

/** Maximum number of names in a summary. GitHub's page shows the rest. */
export const MAX_FAILING_NAMES = 20;

/**
 * Summarizes only the checks that events reported. Undefined if no check was reported. The summary
 * is only a notice for people; gates read the CI result from the forge.
 */
export function computeCheckSummary(checks: readonly CheckState[]): CheckSummary | undefined {
  const details = checks.filter(({ kind }) => kind === 'run' || kind === 'status');
  const inRuns = new Set(details.map(({ suite }) => suite).filter((suite) => suite !== undefined));
  const failedInDetail = new Set(filterFailing(details).map(({ suite }) => suite));
  const groups = checks.filter(({ kind, suite, verdict }) => {
    if (kind === 'run' || kind === 'status') return false;
    // GitHub creates a suite per app and push, even for apps that never check anything.
    if (kind === 'suite' && verdict === 'pending') return false;
    // A workflow is more precise than its suite.
    return kind === 'workflow' || !checks.some((other) => other.kind === 'workflow' && other.suite === suite);
  });
  // If runs are known, their suite or workflow is taken into account only when it reports a failure
  // that no run shows.
  const added = groups.filter(({ suite, verdict }) =>
    inRuns.has(suite ?? 0) ? verdict === 'failing' && !failedInDetail.has(suite) : true,
  );
  const counted = [...details, ...added];
  if (counted.length === 0) return undefined;
  const failing = [...new Set(filterFailing(counted).map(({ name }) => name))]
    .toSorted()
    .slice(0, MAX_FAILING_NAMES);
  if (failing.length > 0) return { verdict: 'failing', failing };
  return { verdict: counted.some(({ verdict }) => verdict === 'pending') ? 'pending' : 'passing', failing };
}

function isSameSummary(one: CheckSummary, other: CheckSummary): boolean {
  return one.verdict === other.verdict && one.failing.join('\n') === other.failing.join('\n');
}

/**
 * Maps the status and conclusion of check runs, suites and workflows to a verdict. Unknown values
 * mean pending.
 */
export function toCheckVerdict(
  status: string | null | undefined,
  conclusion: string | null | undefined,
): CheckVerdict {
  if (status !== 'completed') return 'pending';
  switch (conclusion) {
    case 'success':
    case 'neutral':
    case 'skipped':
      return 'passing';
    case 'failure':
    case 'timed_out':
    case 'cancelled':
    case 'action_required':
    case 'startup_failure':
      return 'failing';
    default:
      return 'pending';
  }
}

/** Maps the state of a commit status. */
export function toStatusVerdict(state: string): CheckVerdict {
  if (state === 'success') return 'passing';
  return state === 'failure' || state === 'error' ? 'failing' : 'pending';
}

function filterFailing(checks: readonly CheckState[]): readonly CheckState[] {
  return checks.filter(({ verdict }) => verdict === 'failing');
}

/** GitHub sends the events of a run, its suite and its workflow within about a second. */
export const QUIET_MS = 2_000;
/**
 * Maximum length of a window, so that a matrix of jobs that end one after another does not delay
 * the summary indefinitely.
 */
export const MAX_WINDOW_MS = 10_000;
/**
 * Maximum number of commits whose checks are remembered to detect changes: twice the number of open
 * pull requests of a large board.
 */
export const MAX_COMMITS = 500;
/**
 * Maximum number of checks of one commit. GitHub's largest matrix has 256 jobs. Further checks only
 * cause a wake-up.
 */
export const MAX_CHECKS_PER_COMMIT = 600;
/** Maximum number of branches and pull requests of one commit. GitHub lists at most ten. */
export const MAX_REFS_PER_COMMIT = 50;

/** One event about one check of a commit. */
export interface CheckObservation extends WebhookRepository {
  readonly sha: string;
  readonly branches: readonly string[];
  readonly pullRequests: readonly number[];
  readonly check: CheckState;
}

interface CommitChecks extends Omit<CheckObservation, 'check'> {
  readonly checks: ReadonlyMap<string, CheckState>;
  /** Start of the open window and time of its last event. Undefined if no window is open. */
  readonly window: { readonly openedAt: number; readonly lastAt: number } | undefined;
  readonly published: CheckSummary | undefined;
}

/** Keyed by repository and commit, most recently changed last. */
export interface CheckFoldState {
  readonly commits: ReadonlyMap<string, CommitChecks>;
  /** True if a commit was dropped while its window was open. */
  readonly isLossy: boolean;
}

export const NO_CHECKS: CheckFoldState = { commits: new Map(), isLossy: false };

export interface ClosedCheckWindow {
  readonly commit: CommitChecks;
  /** Undefined if the summary equals the last published one. */
  readonly summary: CheckSummary | undefined;
}

export interface DueCheckWindows {
  readonly checks: CheckFoldState;
  readonly closed: readonly ClosedCheckWindow[];
  readonly isLossy: boolean;
}

/**
 * Adds one event to its commit's window, which opens with the first event and closes after a quiet
 * period or at its maximum length. Duplicates and reordered events lead to the same state.
 */
export function withCheck(
  { commits, isLossy }: CheckFoldState,
  observation: CheckObservation,
  now: number,
): CheckFoldState {
  const key = `${observation.owner}/${observation.repo}@${observation.sha}`.toLowerCase();
  const { check, ...location } = observation;
  const known: CommitChecks = commits.get(key) ?? {
    ...location,
    checks: new Map(),
    window: undefined,
    published: undefined,
  };
  const next = new Map(commits);
  next.delete(key);
  next.set(key, {
    ...known,
    branches: takeDistinctRefs([...known.branches, ...observation.branches]),
    pullRequests: takeDistinctRefs([...known.pullRequests, ...observation.pullRequests]),
    checks: withNewer(known.checks, check),
    window: { openedAt: known.window?.openedAt ?? now, lastAt: now },
  });
  if (next.size <= MAX_COMMITS) return { commits: next, isLossy };
  const forgotten = [...next].find(([, { window }]) => window === undefined) ?? [...next][0];
  if (forgotten === undefined) return { commits: next, isLossy };
  next.delete(forgotten[0]);
  return { commits: next, isLossy: isLossy || forgotten[1].window !== undefined };
}

/**
 * Returns the time at which the next window closes, or undefined if no window is open. Later events
 * never make that time earlier.
 */
export function findNextCloseTime({ commits }: CheckFoldState): number | undefined {
  const times = [...commits.values()].flatMap(({ window }) =>
    window === undefined ? [] : [computeCloseTime(window)],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Closes every window that is due. */
export function closeDueWindows({ commits, isLossy }: CheckFoldState, now: number): DueCheckWindows {
  const next = new Map(commits);
  const closed: ClosedCheckWindow[] = [];
  for (const [key, commit] of commits) {
    if (commit.window === undefined || computeCloseTime(commit.window) > now) continue;
    const summary = computeCheckSummary([...commit.checks.values()]);
    const { published } = commit;
    const isNew = summary !== undefined && (published === undefined || !isSameSummary(published, summary));
    closed.push({ commit, summary: isNew ? summary : undefined });
    next.set(key, { ...commit, window: undefined, published: summary });
  }
  return { checks: { commits: next, isLossy: false }, closed, isLossy };
}

function computeCloseTime({
  openedAt,
  lastAt,
}: {
  readonly openedAt: number;
  readonly lastAt: number;
}): number {
  return Math.min(lastAt + QUIET_MS, openedAt + MAX_WINDOW_MS);
}

function withNewer(checks: ReadonlyMap<string, CheckState>, check: CheckState) {
  const known = checks.get(check.key);
  if (known === undefined ? checks.size >= MAX_CHECKS_PER_COMMIT : !isNewer(check, known)) return checks;
  return new Map(checks).set(check.key, check);
}

/**
 * A rerun has a larger id. Within one run, the later event wins. If both events are of the same
 * second, the worse verdict wins.
 */
function isNewer(one: CheckState, other: CheckState): boolean {
  const order = ['pending', 'passing', 'failing'];
  const rank = ({ verdict }: CheckState) => order.indexOf(verdict);
  return (one.id - other.id || one.at - other.at || rank(one) - rank(other)) > 0;
}

function takeDistinctRefs<T>(refs: readonly T[]): readonly T[] {
  return [...new Set(refs)].slice(0, MAX_REFS_PER_COMMIT);
}
