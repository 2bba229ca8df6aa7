/** Verbs about a worker's own progress: `status` and `checkpoint`. */

import { isDeepStrictEqual } from 'node:util';
import { MAX_STOP_EXTENSIONS } from '../../../core/health/stop-ladder.ts';
import { describeDuration } from '../../../core/model/format.ts';
import type { WorkerIdentity } from '../../../core/model/ids.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import {
  hasEnded,
  type LifecycleState,
  type PendingStop,
  toLifecycleState,
} from '../../../core/model/lifecycle.ts';
import { isHalted } from '../../../core/state/halt.ts';
import type { IssueRecord, LegionState, WorkerRecord } from '../../../core/state/state.ts';
import { findPendingStop } from '../../../core/state/stopping.ts';
import type { StateContext } from '../../context/daemon-context.ts';
import { recordUncommittedWork } from '../../context/record-uncommitted-work.ts';
import { appendAs, requireKnownAttempt, requireRunningAttempt } from '../attempt-guard.ts';
import type { VerbHandler } from '../verb-handler.ts';

/**
 * `status`: the worker's heartbeat. Returns what the daemon knows about the worker. With `working`, a
 * worker that was asked to stop gets more time.
 */
export const handleStatus: VerbHandler<'status'> = async (context, who, { text, reason }) => {
  const working = WORKING_PATTERN.exec(text ?? '');
  if (working !== null) await extendStop(context, who, reason ?? working[1] ?? '');
  const { state: legion } = context.ledger;
  const worker = requireKnownAttempt(legion, who);
  const isPresent = worker.attempt === who.attempt;
  // An attempt that was replaced is reported as stopped, whatever its record said before.
  const state = isPresent ? toLifecycleState(worker.facts) : 'stopped';
  const { issue, mode, attempt } = who;
  const stop = isPresent ? findPendingStop(legion, worker, context.settings().health) : undefined;
  const says =
    stop !== undefined
      ? describeStopToWorker(worker, stop, context.clock.now())
      : hasEnded(state)
        ? `Your attempt is over${isPresent ? '' : `; attempt ${worker.attempt} has replaced it`}. End your turn.`
        : listStatusLines(who, worker, state, legion.issues.get(issue)).join(' ');
  return { worker: toWorkerId(issue, mode), issue, mode, attempt, state, says };
};

/** `status working REASON`, as one text or as text and reason. */
const WORKING_PATTERN = /^working(?:[\s:,-]+(.*))?$/is;
const MAX_REASON_CHARS = 200;
const NO_REASON = 'no reason given';

/** Journals that a stopping worker needs more time. Does nothing if it is not entitled to more. */
async function extendStop(context: StateContext, who: WorkerIdentity, given: string): Promise<void> {
  const { issue, mode, attempt } = who;
  const why = given.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON_CHARS) || NO_REASON;
  const now = context.clock.now();
  await context.ledger.append((state) => {
    const worker = requireKnownAttempt(state, who);
    const stop = findPendingStop(state, worker, context.settings().health);
    if (worker.attempt !== attempt || stop === undefined || stop.graceEndsAt <= now) return [];
    const extension = (worker.stopExtensions?.length ?? 0) + 1;
    if (extension > countAllowedExtensions(state, worker)) return [];
    return [{ type: 'attempt.stop_extended', issue, mode, attempt, extension, why }];
  });
}

/** A worker over its budget had its time to finish, and a halt waits for no worker. */
function countAllowedExtensions(state: LegionState, { askedToStop }: WorkerRecord): number {
  return askedToStop !== undefined || isHalted(state) ? 0 : MAX_STOP_EXTENSIONS;
}

function describeStopToWorker(worker: WorkerRecord, { graceEndsAt, why }: PendingStop, now: number): string {
  const left = Math.max(0, graceEndsAt - now);
  const used = worker.stopExtensions?.length ?? 0;
  return [
    `You were asked to stop${why === undefined ? '' : ` (${why})`}.`,
    left === 0 ? 'Your time is over.' : `Your process is ended in ${describeDuration(left)}.`,
    `You have asked for more time ${used} of at most ${MAX_STOP_EXTENSIONS} times.`,
    'Save a checkpoint, then end your turn.',
  ].join(' ');
}

function listStatusLines(
  { mode }: WorkerIdentity,
  { checkpoint }: WorkerRecord,
  state: LifecycleState,
  record: IssueRecord | undefined,
): string[] {
  const open = Object.entries(record?.questions ?? {})
    .filter(([, asked]) => asked.mode === mode && asked.answer === undefined)
    .map(([number]) => number);
  return [
    `You are ${state}.`,
    checkpoint === undefined ? 'You have no saved checkpoint.' : `Your last checkpoint: ${checkpoint.stage}.`,
    ...(open.length === 0 ? [] : [`Unanswered questions: ${open.join(', ')}.`]),
    'End with `done`, `ask` or `error`.',
  ];
}

/** `checkpoint`: records progress, so that the next attempt can continue the work. */
export const handleCheckpoint: VerbHandler<'checkpoint'> = async (context, who, saved) => {
  const { issue, mode, attempt } = who;
  await recordUncommittedWork(context, issue);
  await appendAs(
    context,
    who,
    ({ worker: { checkpoint: before, lastCheckpoint } }) => {
      // A checkpoint of the previous attempt is not treated as this attempt's, even if the two are
      // identical.
      if (before !== undefined && lastCheckpoint > 0) {
        const { at: _, ...said } = before;
        if (isDeepStrictEqual(said, saved)) return [];
      }
      return [{ type: 'checkpoint.saved', issue, mode, attempt, checkpoint: lastCheckpoint + 1, ...saved }];
    },
    // A worker that was asked to stop saves its progress for the next attempt.
    requireRunningAttempt,
  );
  const isAsked = hasEnded(toLifecycleState(requireKnownAttempt(context.ledger.state, who).facts));
  return { says: isAsked ? 'Checkpoint saved. End your turn.' : 'Checkpoint saved. Continue.' };
};
