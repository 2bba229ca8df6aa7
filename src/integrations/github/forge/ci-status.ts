/** Derives a CI status from the checks of a commit. */
import type { CiStatus } from '../../../core/model/pull-request.ts';
import type { ForgeCheck } from '../../../ports/forge.ts';

import type { LightPullRequest } from './answer-schemas.ts';

type CheckOutcome = 'passed' | 'failed' | 'timed_out' | 'interrupted' | 'action_required' | 'runs';

/**
 * A check counts as failed only if it found a problem in the code. A check that was cancelled,
 * timed out or never started found nothing. GitHub's own summary reports all of them as failures.
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
  CANCELLED: 'interrupted',
  TIMED_OUT: 'timed_out',
  STARTUP_FAILURE: 'timed_out',
  ACTION_REQUIRED: 'action_required',
  STALE: 'interrupted', // GitHub gave up on it after two weeks
};

/**
 * States of the commit statuses that services set. `ERROR` means that the service reached no
 * verdict.
 */
const STATUS_OUTCOMES: Readonly<Record<string, CheckOutcome>> = {
  SUCCESS: 'passed',
  FAILURE: 'failed',
  ERROR: 'interrupted',
  PENDING: 'runs',
  EXPECTED: 'runs',
};

/**
 * The status is failing if any check failed. Otherwise it is pending if a check is running or a
 * required check has not started. Otherwise, if checks could not run, one that needs a person takes
 * precedence over one that timed out. A state that Legion does not know is not a verdict.
 */
export function computeCiStatus(
  rollup: LightPullRequest['statusCheckRollup'],
  missing: readonly string[],
): CiStatus {
  if (rollup === null) return missing.length > 0 ? 'pending' : 'none';
  const outcomes = new Set(listOutcomes(rollup));
  if (outcomes.has('failed')) return 'failing';
  if (outcomes.has('runs') || missing.length > 0) return 'pending';
  for (const outcome of COULD_NOT_RUN) if (outcomes.has(outcome)) return outcome;
  return outcomes.size === 0 ? 'none' : 'passing';
}

/** In order of precedence. A re-run cannot replace a person's action. */
const COULD_NOT_RUN = ['action_required', 'timed_out', 'interrupted'] as const;

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

/** Returns whether a check exceeded its time limit or did not start. */
export function hasTimedOut(check: CheckState): boolean {
  return judgeCheck(check) === 'timed_out';
}

/** Returns the result of one check. A check run without a conclusion has not ended. */
export function toCheckStatus(check: CheckState): ForgeCheck['status'] {
  return CHECK_STATUSES[judgeCheck(check)];
}

const CHECK_STATUSES: Readonly<Record<CheckOutcome, ForgeCheck['status']>> = {
  passed: 'passing',
  failed: 'failing',
  runs: 'pending',
  timed_out: 'could_not_run',
  interrupted: 'could_not_run',
  action_required: 'could_not_run',
};

function judgeCheck({ conclusion, state }: CheckState): CheckOutcome {
  if (state !== undefined) return findOutcome(STATUS_OUTCOMES, state);
  return conclusion === null || conclusion === undefined ? 'runs' : findOutcome(RUN_OUTCOMES, conclusion);
}

/** Ignores property names that every object inherits, such as "constructor". */
function findOutcome(outcomesByState: Readonly<Record<string, CheckOutcome>>, state: string): CheckOutcome {
  return (Object.hasOwn(outcomesByState, state) ? outcomesByState[state] : undefined) ?? 'interrupted';
}
