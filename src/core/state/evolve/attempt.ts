/** What happens to the present attempt of a worker, up to its report. */

import { type AttemptFacts, hasEnded, lifecycleOf } from '../../../domain/lifecycle.ts';
import { quotaKey } from '../../../swarm/choose-agent.ts';
import { setWorker } from '../../../swarm/workers.ts';
import type { EventOf } from '../../model/event.ts';
import { workerId } from '../../model/ids.ts';
import type { Swarm, WorkerRecord } from '../state.ts';
import { granted } from './spending.ts';

type AttemptEvent = EventOf<
  | 'attempt.spawned'
  | 'attempt.active'
  | 'attempt.session_paired'
  | 'attempt.waiting'
  | 'attempt.exited'
  | 'attempt.crashed'
  | 'attempt.paused'
  | 'attempt.stopped'
  | 'attempt.zombie'
  | 'checkpoint.saved'
>;

export function evolveAttempt(swarm: Swarm, event: AttemptEvent | EventOf<'crashes.reset'>): boolean {
  const id = workerId(event.issue, event.mode);
  const worker = swarm.workers.get(id);
  if (worker === undefined) return false;
  const next = event.type === 'crashes.reset' ? reset(worker, event) : during(worker, event);
  if (next === undefined) return false;
  setWorker(swarm, id, next);
  noteQuota(swarm, next, event);
  return true;
}

/** Everybody who works with the same agent and model shares the refusal, and a person who lets one go on lets them all. */
function noteQuota(swarm: Swarm, worker: WorkerRecord, event: AttemptEvent | EventOf<'crashes.reset'>): void {
  const { agent, model } = worker;
  if (agent === undefined) return;
  if (event.type === 'crashes.reset') swarm.quotas.delete(quotaKey({ agent, model }));
  if (event.type !== 'attempt.waiting' || event.for !== 'quota') return;
  const until = event.until === undefined ? {} : { until: event.until };
  swarm.quotas.set(quotaKey({ agent, model }), { since: event.at, ...until });
}

/** The worker after the event, or undefined where the event comes too late, twice, or for another attempt. */
function during(worker: WorkerRecord, event: AttemptEvent): WorkerRecord | undefined {
  if (event.attempt !== worker.attempt) return undefined;
  const { facts } = worker;
  const ended = hasEnded(lifecycleOf(facts));
  switch (event.type) {
    case 'attempt.spawned':
      return worker.process === undefined ? { ...worker, process: processOf(event) } : undefined;
    case 'attempt.session_paired':
      return worker.native === event.native ? undefined : { ...worker, native: event.native };
    case 'attempt.active':
      return facts.firstEventAt === undefined && !ended
        ? withFacts(worker, { ...facts, firstEventAt: event.at })
        : undefined;
    case 'attempt.waiting':
      return ended || event.wait !== worker.lastWait + 1 ? undefined : waiting(worker, event);
    case 'attempt.exited':
      return worker.exit === undefined
        ? { ...worker, exit: { code: event.code, signal: event.signal, at: event.at } }
        : undefined;
    case 'attempt.crashed':
      return ended ? undefined : crashed(worker, event);
    case 'attempt.paused':
      // Whom a person has let go on since is stopped and not paused: a pause that comes again is an old one.
      return facts.pausedAt === undefined && (!ended || isCrashed(facts))
        ? withFacts(worker, { ...facts, pausedAt: event.at })
        : undefined;
    case 'attempt.stopped':
      return ended ? undefined : withFacts(worker, { ...facts, stoppedAt: event.at });
    case 'attempt.zombie':
      return worker.zombie === true ? undefined : { ...worker, zombie: true };
    case 'checkpoint.saved':
      return event.checkpoint > worker.lastCheckpoint && facts.acceptedAt === undefined
        ? checkpoint(worker, event)
        : undefined;
  }
}

function isCrashed({ crashedAt, stoppedAt }: AttemptFacts): boolean {
  return crashedAt !== undefined && stoppedAt === undefined;
}

function crashed(worker: WorkerRecord, event: EventOf<'attempt.crashed'>): WorkerRecord {
  const { at, evidence, flaggedAt, error } = event;
  const flagged = flaggedAt === undefined ? {} : { flaggedAt };
  const dead = { ...worker, facts: { ...worker.facts, crashedAt: at, ...flagged }, crash: evidence };
  if (event.session !== 'lost') return failed(dead, at, evidence[0], error);
  const lost = { ...dead, sessionLost: true, lostSessions: worker.lostSessions + 1 };
  // A resume that fails is followed by a fresh session: one life in two steps. Once, or it would go on for ever.
  const isResume = worker.failedLives.length > 0 && worker.lostSessions === 0;
  return isResume ? lost : failed(lost, at, evidence[0], error);
}

/** Characters of how a life ended: enough to see what it is about, the rest is in the journal. */
const WORDS_KEPT = 300;

/** The life that has just ended counts against the limit of respawns. */
export function failed(worker: WorkerRecord, at: number, how = '', error?: string): WorkerRecord {
  const life = {
    startedAt: worker.facts.dispatchedAt,
    crashedAt: at,
    how: how.slice(0, WORDS_KEPT),
    ...(error === undefined ? {} : { error: error.slice(0, WORDS_KEPT) }),
  };
  return { ...worker, failedLives: [...worker.failedLives, life] };
}

function processOf({
  pid,
  startTime,
  marker,
}: EventOf<'attempt.spawned'>): NonNullable<WorkerRecord['process']> {
  return { pid, startTime, ...(marker === undefined ? {} : { marker }) };
}

function waiting(worker: WorkerRecord, event: EventOf<'attempt.waiting'>): WorkerRecord {
  const until = event.until === undefined ? {} : { until: event.until };
  const facts = { ...worker.facts, waiting: { for: event.for, since: event.at, ...until } };
  return { ...withFacts(worker, facts), lastWait: event.wait };
}

function checkpoint(worker: WorkerRecord, event: EventOf<'checkpoint.saved'>): WorkerRecord {
  const { stage, completed, remaining, lastAction, at } = event;
  return {
    ...worker,
    lastCheckpoint: event.checkpoint,
    checkpoint: { stage, completed, remaining, lastAction, at },
  };
}

/** A paused worker may be dispatched again afterwards; it does not begin by itself. */
function reset(worker: WorkerRecord, event: EventOf<'crashes.reset'>): WorkerRecord | undefined {
  if (event.generation !== worker.crashGeneration + 1) return undefined;
  const facts =
    worker.facts.pausedAt === undefined
      ? worker.facts
      : { ...without(worker.facts, 'pausedAt'), stoppedAt: event.at };
  return {
    ...granted(worker, event.at),
    facts,
    failedLives: [],
    lostSessions: 0,
    crashGeneration: event.generation,
  };
}

function withFacts(worker: WorkerRecord, facts: AttemptFacts): WorkerRecord {
  return { ...worker, facts };
}

function without(facts: AttemptFacts, name: 'pausedAt'): AttemptFacts {
  const { [name]: _, ...rest } = facts;
  return rest;
}
