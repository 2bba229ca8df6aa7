/** The checks of one commit in one word, with the names of those that fail. */

export type Verdict = 'passing' | 'failing' | 'pending';

/** What was last heard of one check. */
export interface CheckState {
  /** The same for every try of the same check at the same commit. */
  readonly key: string;
  /** A suite and a workflow stand for the runs they consist of, and count where those are not known. */
  readonly kind: 'run' | 'status' | 'workflow' | 'suite';
  /** To which suite it belongs; a status belongs to none. */
  readonly suite: number | undefined;
  readonly name: string;
  readonly id: number;
  /** Milliseconds since 1970, by GitHub's clock. */
  readonly at: number;
  readonly verdict: Verdict;
}

export interface CheckSummary {
  readonly verdict: Verdict;
  /** In the order of the alphabet. */
  readonly failing: readonly string[];
}

/** Names in a summary; whoever has more failing checks looks at the page. */
export const FAILING_MOST = 20;

/**
 * Only of what was told: a check that GitHub has not spoken of is not in it. So this is a notice for people, never the CI result a
 * gate rests on; that is read from the forge. Undefined where no check was told of.
 */
export function summaryOf(checks: readonly CheckState[]): CheckSummary | undefined {
  const details = checks.filter(({ kind }) => kind === 'run' || kind === 'status');
  const inRuns = new Set(details.map(({ suite }) => suite).filter((suite) => suite !== undefined));
  const failedInDetail = new Set(failed(details).map(({ suite }) => suite));
  const wholes = checks.filter(({ kind, suite, verdict }) => {
    if (kind === 'run' || kind === 'status') return false;
    // Each app is given a suite for each push, whether it ever checks anything or not.
    if (kind === 'suite' && verdict === 'pending') return false;
    // A workflow says it more precisely than the suite it is.
    return kind === 'workflow' || !checks.some((other) => other.kind === 'workflow' && other.suite === suite);
  });
  // Where runs are known, what stands for all of them adds only a failure that none of them has shown.
  const added = wholes.filter(({ suite, verdict }) =>
    inRuns.has(suite ?? 0) ? verdict === 'failing' && !failedInDetail.has(suite) : true,
  );
  const counted = [...details, ...added];
  if (counted.length === 0) return undefined;
  const failing = [...new Set(failed(counted).map(({ name }) => name))].toSorted().slice(0, FAILING_MOST);
  if (failing.length > 0) return { verdict: 'failing', failing };
  return { verdict: counted.some(({ verdict }) => verdict === 'pending') ? 'pending' : 'passing', failing };
}

export function isSameSummary(one: CheckSummary, other: CheckSummary): boolean {
  return one.verdict === other.verdict && one.failing.join('\n') === other.failing.join('\n');
}

/** By the words of check runs, suites and workflows; one that nobody knows yet is as good as not done. */
export function verdictOf(status: string | null | undefined, conclusion: string | null | undefined): Verdict {
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

/** By the words of commit statuses. */
export function statusVerdict(state: string): Verdict {
  if (state === 'success') return 'passing';
  return state === 'failure' || state === 'error' ? 'failing' : 'pending';
}

function failed(checks: readonly CheckState[]): readonly CheckState[] {
  return checks.filter(({ verdict }) => verdict === 'failing');
}
