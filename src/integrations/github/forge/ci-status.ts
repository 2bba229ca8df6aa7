/** Derives a CI status from the checks of a commit. */
import type { CiStatus } from '../../../core/model/pull-request.ts';
import type { ForgeCheck } from '../../../ports/forge.ts';

import type { LightPullRequest } from './answer-schemas.ts';

type CheckOutcome = 'passed' | 'failed' | 'runs' | 'could_not_run';

/**
 * A check counts as failed only if it found a problem in the code. A check that was cancelled,
 * timed out or never started found nothing.
 */
const RUN_OUTCOMES: Readonly<Record<string, CheckOutcome>> = {
  SUCCESS: 'passed',
  NEUTRAL: 'passed',
  SKIPPED: 'passed',
  FAILURE: 'failed',
  PENDING: 'runs',
  QUEUED: 'runs',
  IN_PROGRESS: 'runs',
  WAITING: 'runs', // for example, for approval to deploy
  CANCELLED: 'could_not_run',
  TIMED_OUT: 'could_not_run',
  STARTUP_FAILURE: 'could_not_run',
  ACTION_REQUIRED: 'could_not_run',
  STALE: 'could_not_run', // GitHub gave up on it after two weeks
};

/**
 * States of the commit statuses that services set. `ERROR` means that the service reached no
 * verdict.
 */
const STATUS_OUTCOMES: Readonly<Record<string, CheckOutcome>> = {
  SUCCESS: 'passed',
  FAILURE: 'failed',
  ERROR: 'could_not_run',
  PENDING: 'runs',
  EXPECTED: 'runs',
};

/**
 * The status is failing if any check failed. Otherwise it is pending if a check is running or a
 * required check has not started, and otherwise unknown if a check could not run. A state that
 * Legion does not know is not a verdict.
 */
export function computeCiStatus(
  rollup: LightPullRequest['statusCheckRollup'],
  missing: readonly string[],
): CiStatus {
  if (rollup === null) return missing.length > 0 ? 'pending' : 'none';
  const outcomes = new Set(listOutcomes(rollup));
  if (outcomes.has('failed')) return 'failing';
  if (outcomes.has('runs') || missing.length > 0) return 'pending';
  if (outcomes.has('could_not_run')) return 'unknown';
  return outcomes.size === 0 ? 'none' : 'passing';
}

function listOutcomes({
  state,
  contexts,
}: NonNullable<LightPullRequest['statusCheckRollup']>): readonly CheckOutcome[] {
  const { checkRunCountsByState: runs, statusContextCountsByState: statuses } = contexts;
  // An older server has no counts and only one overall state.
  if (runs === null || statuses === null) return [findOutcome(STATUS_OUTCOMES, state)];
  return [...toPresentOutcomes(runs, RUN_OUTCOMES), ...toPresentOutcomes(statuses, STATUS_OUTCOMES)];
}

function toPresentOutcomes(
  counts: readonly { readonly state: string; readonly count: number }[],
  outcomesByState: Readonly<Record<string, CheckOutcome>>,
): readonly CheckOutcome[] {
  return counts.filter(({ count }) => count > 0).map(({ state }) => findOutcome(outcomesByState, state));
}

interface CheckState {
  readonly conclusion?: string | null | undefined;
  readonly state?: string | undefined;
}

/** Returns whether a check found a problem in the code. */
export function isRed(check: CheckState): boolean {
  return judgeCheck(check) === 'failed';
}

/** Returns the result of one check. A check run without a conclusion has not ended. */
export function toCheckStatus(check: CheckState): ForgeCheck['status'] {
  return CHECK_STATUSES[judgeCheck(check)];
}

const CHECK_STATUSES: Readonly<Record<CheckOutcome, ForgeCheck['status']>> = {
  passed: 'passing',
  failed: 'failing',
  runs: 'pending',
  could_not_run: 'could_not_run',
};

function judgeCheck({ conclusion, state }: CheckState): CheckOutcome {
  if (state !== undefined) return findOutcome(STATUS_OUTCOMES, state);
  return conclusion === null || conclusion === undefined ? 'runs' : findOutcome(RUN_OUTCOMES, conclusion);
}

/** Ignores property names that every object inherits, such as "constructor". */
function findOutcome(outcomesByState: Readonly<Record<string, CheckOutcome>>, state: string): CheckOutcome {
  return (Object.hasOwn(outcomesByState, state) ? outcomesByState[state] : undefined) ?? 'could_not_run';
}
