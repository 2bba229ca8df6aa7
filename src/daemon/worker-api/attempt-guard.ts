/**
 * Guards worker calls: only the current attempt of a worker may change anything, and only until it
 * has ended.
 */

import { createHash } from 'node:crypto';
import type { Event, EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { WorkerIdentity } from '../../core/model/ids.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../core/model/lifecycle.ts';
import { isStopping } from '../../core/state/halt.ts';
import {
  createIssueRecord,
  type IssueRecord,
  type LegionState,
  type WorkerRecord,
} from '../../core/state/state.ts';
import type { StateContext } from '../context/daemon-context.ts';

/** Returns the worker if this is its current attempt. Throws `worker.attempt_over` otherwise. */
export function requireCurrentAttempt(legion: LegionState, who: WorkerIdentity): WorkerRecord {
  const worker = requirePresentAttempt(legion, who);
  const state = toLifecycleState(worker.facts);
  if (!hasEnded(state)) return worker;
  throw isStopping(worker)
    ? createAttemptOverError(who, 'it was asked to stop', STOP_ADVICE)
    : createAttemptOverError(who, `it is ${state}`);
}

/** Like `requireCurrentAttempt`, but allows an attempt that was asked to stop and still runs. */
export function requireRunningAttempt(legion: LegionState, who: WorkerIdentity): WorkerRecord {
  const worker = requirePresentAttempt(legion, who);
  return isStopping(worker) ? worker : requireCurrentAttempt(legion, who);
}

function requirePresentAttempt(legion: LegionState, who: WorkerIdentity): WorkerRecord {
  const worker = requireKnownAttempt(legion, who);
  if (who.attempt !== worker.attempt) {
    throw createAttemptOverError(who, `attempt ${worker.attempt} has replaced it`);
  }
  return worker;
}

/**
 * Sent with the refusal of a verb, so that it also reaches an agent that reads no messages during
 * its turn.
 */
const STOP_ADVICE =
  'Save a checkpoint with `legion worker checkpoint`, then end your turn. If you must finish something first, run `legion worker status working REASON`.';

/**
 * Returns the worker even if its attempt is over. Also compares the issue id, because worker ids
 * are in lower case and two issue ids may differ only in case.
 */
export function requireKnownAttempt(state: LegionState, who: WorkerIdentity): WorkerRecord {
  const worker = state.workers.get(toWorkerId(who.issue, who.mode));
  if (worker === undefined || worker.issue !== who.issue || who.attempt > worker.attempt) {
    throw createAttemptOverError(who, 'the journal has no record of it');
  }
  return worker;
}

function createAttemptOverError(
  { issue, mode, attempt }: WorkerIdentity,
  why: string,
  next?: string,
): LegionError {
  const message = `Attempt ${attempt} of ${toWorkerId(issue, mode)} is not active: ${why}.`;
  return new LegionError('worker.attempt_over', message, next === undefined ? {} : { next });
}

export interface AttemptContext {
  readonly state: LegionState;
  readonly worker: WorkerRecord;
  readonly record: IssueRecord;
}

/**
 * Appends events on behalf of the current attempt. Checks the attempt again, because most events
 * carry no attempt number.
 */
export function appendAs(
  context: StateContext,
  who: WorkerIdentity,
  bodies: (moment: AttemptContext) => readonly EventBody[],
  requireAttempt: typeof requireCurrentAttempt = requireCurrentAttempt,
): Promise<readonly Event[]> {
  return context.ledger.append((state) => {
    const worker = requireAttempt(state, who);
    return bodies({
      state: state,
      worker,
      record: state.issues.get(who.issue) ?? createIssueRecord(who.issue),
    });
  });
}

/**
 * Derives idempotency keys, so that a repeated comment or message is not posted twice. Uses the key
 * that the worker gave or, if it gave none, a hash of the text. The same comment by another attempt
 * is a different comment.
 */
export function buildCommentKey(
  { issue, mode, attempt }: WorkerIdentity,
  key: string | undefined,
  text: string,
): string {
  return `${issue}:${mode}:${attempt}:${key ?? hashText(text)}`;
}

export function buildMessageKey({ issue, mode, attempt }: WorkerIdentity, to: string, text: string): string {
  return `${issue}:${mode}:${attempt}:${hashText(JSON.stringify([to, text]))}`;
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
