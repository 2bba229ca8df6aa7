/** Applies events of a worker's current attempt, up to its report. */

import { toQuotaKey } from '../../model/agent-choice.ts';
import type { EventOf } from '../../model/event.ts';
import { toWorkerId } from '../../model/ids.ts';
import { type AttemptFacts, hasEnded, toLifecycleState } from '../../model/lifecycle.ts';
import type { LegionState, WorkerRecord } from '../state.ts';
import { setWorker } from '../workers.ts';
import { resetBudget } from './spending.ts';

type AttemptEvent = EventOf<
  | 'attempt.spawned'
  | 'attempt.active'
  | 'attempt.session_paired'
  | 'attempt.waiting'
  | 'attempt.exited'
  | 'attempt.crashed'
  | 'attempt.paused'
  | 'attempt.stopped'
  | 'attempt.stop_extended'
  | 'attempt.zombie'
  | 'checkpoint.saved'
>;

export function evolveAttempt(state: LegionState, event: AttemptEvent | EventOf<'crashes.reset'>): boolean {
  const id = toWorkerId(event.issue, event.mode);
  const worker = state.workers.get(id);
  if (worker === undefined) return false;
  const next =
    event.type === 'crashes.reset' ? applyCrashReset(worker, event) : applyAttemptEvent(worker, event);
  if (next === undefined) return false;
  setWorker(state, id, next);
  recordQuota(state, next, event);
  return true;
}

/**
 * Records a quota refusal for every worker with the same agent and model. A person who resumes one
 * of these workers resumes all of them.
 */
function recordQuota(
  state: LegionState,
  worker: WorkerRecord,
  event: AttemptEvent | EventOf<'crashes.reset'>,
): void {
  const { agent, model } = worker;
  if (agent === undefined) return;
  if (event.type === 'crashes.reset') state.quotas.delete(toQuotaKey({ agent, model }));
  if (event.type !== 'attempt.waiting' || event.for !== 'quota') return;
  const until = event.until === undefined ? {} : { until: event.until };
  state.quotas.set(toQuotaKey({ agent, model }), { since: event.at, ...until });
}

/**
 * Returns the worker after the event, or undefined if the event is late, repeated or for another
 * attempt.
 */
function applyAttemptEvent(worker: WorkerRecord, event: AttemptEvent): WorkerRecord | undefined {
  if (event.attempt !== worker.attempt) return undefined;
  const { facts } = worker;
  const ended = hasEnded(toLifecycleState(facts));
  switch (event.type) {
    case 'attempt.spawned':
      return worker.process === undefined ? { ...worker, process: toProcessRecord(event) } : undefined;
    case 'attempt.session_paired':
      return worker.native === event.native ? undefined : { ...worker, native: event.native };
    case 'attempt.active':
      return facts.firstEventAt === undefined && !ended
        ? withFacts(worker, { ...facts, firstEventAt: event.at })
        : undefined;
    case 'attempt.waiting':
      return ended || event.wait !== worker.lastWait + 1 ? undefined : applyWait(worker, event);
    case 'attempt.exited':
      return worker.exit === undefined
        ? { ...worker, exit: { code: event.code, signal: event.signal, at: event.at } }
        : undefined;
    case 'attempt.crashed':
      return ended ? undefined : applyCrash(worker, event);
    case 'attempt.paused':
      // Once a person has resumed the worker, its state is `stopped` and no longer `paused`. A
      // pause event that arrives after that is a repeat.
      return facts.pausedAt === undefined && (!ended || isCrashed(facts))
        ? withFacts(worker, { ...facts, pausedAt: event.at })
        : undefined;
    case 'attempt.stopped':
      return ended ? undefined : withFacts(worker, { ...facts, stoppedAt: event.at });
    case 'attempt.stop_extended':
      return applyStopExtension(worker, event);
    case 'attempt.zombie':
      return worker.zombie === true ? undefined : { ...worker, zombie: true };
    case 'checkpoint.saved':
      return event.checkpoint > worker.lastCheckpoint && facts.acceptedAt === undefined
        ? applyCheckpoint(worker, event)
        : undefined;
  }
}

/** Ignores a repeat, and an extension of an attempt that was not stopped. */
function applyStopExtension(
  worker: WorkerRecord,
  { extension, why, at }: EventOf<'attempt.stop_extended'>,
): WorkerRecord | undefined {
  const { facts, stopExtensions = [] } = worker;
  if (facts.stoppedAt === undefined || extension !== stopExtensions.length + 1) return undefined;
  return { ...worker, stopExtensions: [...stopExtensions, { at, why }] };
}

function isCrashed({ crashedAt, stoppedAt }: AttemptFacts): boolean {
  return crashedAt !== undefined && stoppedAt === undefined;
}

function applyCrash(worker: WorkerRecord, event: EventOf<'attempt.crashed'>): WorkerRecord {
  const { at, evidence, flaggedAt, error } = event;
  const flagged = flaggedAt === undefined ? {} : { flaggedAt };
  const dead = { ...worker, facts: { ...worker.facts, crashedAt: at, ...flagged }, crash: evidence };
  if (event.session !== 'lost') return recordFailedAttempt(dead, at, evidence[0], error);
  const lost = { ...dead, sessionLost: true, lostSessions: worker.lostSessions + 1 };
  // A failed resume is followed by a fresh session and counts as the same attempt. This is allowed
  // only once; otherwise it could repeat forever.
  const isResume = worker.failedLives.length > 0 && worker.lostSessions === 0;
  return isResume ? lost : recordFailedAttempt(lost, at, evidence[0], error);
}

/**
 * Maximum length of the text that says how an attempt ended. Enough to recognise the cause; the
 * journal has the rest.
 */
const MAX_ENDING_CHARS = 300;

/** Counts the attempt that just ended towards the respawn limit. */
export function recordFailedAttempt(
  worker: WorkerRecord,
  at: number,
  how = '',
  error?: string,
): WorkerRecord {
  const attempt = {
    startedAt: worker.facts.dispatchedAt,
    crashedAt: at,
    how: how.slice(0, MAX_ENDING_CHARS),
    ...(error === undefined ? {} : { error: error.slice(0, MAX_ENDING_CHARS) }),
  };
  return { ...worker, failedLives: [...worker.failedLives, attempt] };
}

function toProcessRecord({
  pid,
  startTime,
  marker,
}: EventOf<'attempt.spawned'>): NonNullable<WorkerRecord['process']> {
  return { pid, startTime, ...(marker === undefined ? {} : { marker }) };
}

function applyWait(worker: WorkerRecord, event: EventOf<'attempt.waiting'>): WorkerRecord {
  const until = event.until === undefined ? {} : { until: event.until };
  const facts = { ...worker.facts, waiting: { for: event.for, since: event.at, ...until } };
  return { ...withFacts(worker, facts), lastWait: event.wait };
}

function applyCheckpoint(worker: WorkerRecord, event: EventOf<'checkpoint.saved'>): WorkerRecord {
  const { stage, completed, remaining, lastAction, at } = event;
  return {
    ...worker,
    lastCheckpoint: event.checkpoint,
    checkpoint: { stage, completed, remaining, lastAction, at },
  };
}

/** Allows a paused worker to be dispatched again. It does not start by itself. */
function applyCrashReset(worker: WorkerRecord, event: EventOf<'crashes.reset'>): WorkerRecord | undefined {
  if (event.generation !== worker.crashGeneration + 1) return undefined;
  const facts =
    worker.facts.pausedAt === undefined
      ? worker.facts
      : { ...omitFact(worker.facts, 'pausedAt'), stoppedAt: event.at };
  return {
    ...resetBudget(worker, event.at),
    facts,
    failedLives: [],
    lostSessions: 0,
    crashGeneration: event.generation,
  };
}

function withFacts(worker: WorkerRecord, facts: AttemptFacts): WorkerRecord {
  return { ...worker, facts };
}

function omitFact(facts: AttemptFacts, name: 'pausedAt'): AttemptFacts {
  const { [name]: _, ...rest } = facts;
  return rest;
}
