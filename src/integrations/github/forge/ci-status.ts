/** What the checks of a commit amount to. */
import type { CiStatus } from '../../../core/model/pull-request.ts';
import type { ForgeCheck } from '../../../ports/forge.ts';

import type { LightPullRequest } from './answer-schemas.ts';

type Worth = 'passed' | 'failed' | 'runs' | 'could_not_run';

/** Only what a check has found wrong with the code is red; who was stopped, forgotten or never begun has found nothing. */
const RUNS: Readonly<Record<string, Worth>> = {
  SUCCESS: 'passed',
  NEUTRAL: 'passed',
  SKIPPED: 'passed',
  FAILURE: 'failed',
  PENDING: 'runs',
  QUEUED: 'runs',
  IN_PROGRESS: 'runs',
  WAITING: 'runs', // for a person's leave to deploy, say
  CANCELLED: 'could_not_run',
  TIMED_OUT: 'could_not_run',
  STARTUP_FAILURE: 'could_not_run',
  ACTION_REQUIRED: 'could_not_run',
  STALE: 'could_not_run', // GitHub gave it up after two weeks
};

/** Of services that set commit statuses. `ERROR` is theirs for "did not get as far as a verdict". */
const STATUSES: Readonly<Record<string, Worth>> = {
  SUCCESS: 'passed',
  FAILURE: 'failed',
  ERROR: 'could_not_run',
  PENDING: 'runs',
  EXPECTED: 'runs',
};

/**
 * One red check is red, whatever the others do; else one that runs, or one that the base's protection asks for and that has
 * not come yet, is pending; else one that could not run leaves it unknown. A state nobody has heard of is no verdict.
 */
export function ciStatus(
  rollup: LightPullRequest['statusCheckRollup'],
  missing: readonly string[],
): CiStatus {
  if (rollup === null) return missing.length > 0 ? 'pending' : 'none';
  const found = new Set(worths(rollup));
  if (found.has('failed')) return 'failing';
  if (found.has('runs') || missing.length > 0) return 'pending';
  if (found.has('could_not_run')) return 'unknown';
  return found.size === 0 ? 'none' : 'passing';
}

function worths({ state, contexts }: NonNullable<LightPullRequest['statusCheckRollup']>): readonly Worth[] {
  const { checkRunCountsByState: runs, statusContextCountsByState: statuses } = contexts;
  // An older server counts nothing, and has one word for all.
  if (runs === null || statuses === null) return [worthOf(STATUSES, state)];
  return [...there(runs, RUNS), ...there(statuses, STATUSES)];
}

function there(
  counts: readonly { readonly state: string; readonly count: number }[],
  worth: Readonly<Record<string, Worth>>,
): readonly Worth[] {
  return counts.filter(({ count }) => count > 0).map(({ state }) => worthOf(worth, state));
}

interface CheckState {
  readonly conclusion?: string | null | undefined;
  readonly state?: string | undefined;
}

/** Whether a single check has found something wrong with the code. */
export function isRed(check: CheckState): boolean {
  return worthOfCheck(check) === 'failed';
}

/** The result of a single check; a check run without a conclusion has not ended. */
export function checkStatus(check: CheckState): ForgeCheck['status'] {
  return CHECK_STATUSES[worthOfCheck(check)];
}

const CHECK_STATUSES: Readonly<Record<Worth, ForgeCheck['status']>> = {
  passed: 'passing',
  failed: 'failing',
  runs: 'pending',
  could_not_run: 'could_not_run',
};

function worthOfCheck({ conclusion, state }: CheckState): Worth {
  if (state !== undefined) return worthOf(STATUSES, state);
  return conclusion === null || conclusion === undefined ? 'runs' : worthOf(RUNS, conclusion);
}

/** Of a name that every object has, too, nothing is known. */
function worthOf(worth: Readonly<Record<string, Worth>>, state: string): Worth {
  return (Object.hasOwn(worth, state) ? worth[state] : undefined) ?? 'could_not_run';
}
