/** A new attempt claims the place of its (issue, mode); this is where "at most one live worker" is decided. */

import { isLive, lifecycleOf } from '../../../domain/lifecycle.ts';
import { noteDispatchedMode } from '../../../swarm/evolve/sent-back.ts';
import { setWorker } from '../../../swarm/workers.ts';
import type { Purpose } from '../../model/command.ts';
import type { EventOf } from '../../model/event.ts';
import { workerId } from '../../model/ids.ts';
import type { Swarm, WorkerRecord } from '../state.ts';
import { spentBefore } from './spending.ts';

/** Refused while the attempt before it is live, and when its number is not the very next one. */
export function evolveDispatch(swarm: Swarm, event: EventOf<'attempt.dispatched'>): boolean {
  const id = workerId(event.issue, event.mode);
  const before = swarm.workers.get(id);
  if (event.attempt !== (before?.attempt ?? 0) + 1) return false;
  if (before !== undefined && isLive(lifecycleOf(before.facts))) return false;
  setWorker(swarm, id, newAttempt(event, before));
  swarm.lastDispatchAt = event.at;
  noteDispatchedMode(swarm, event.issue, event.mode);
  return true;
}

/** What belongs to the worker stays; what belongs to the life before it goes. */
function newAttempt(event: EventOf<'attempt.dispatched'>, before: WorkerRecord | undefined): WorkerRecord {
  const sameSession = before?.session === event.session;
  const purpose = presentPurpose(event, before);
  return {
    issue: event.issue,
    mode: event.mode,
    attempt: event.attempt,
    session: event.session,
    version: event.version,
    host: event.host,
    ...(event.agent === undefined ? {} : { agent: event.agent }),
    ...(event.model === undefined ? {} : { model: event.model }),
    ...(event.agent === 'scripted' || before?.scripted === true ? { scripted: true } : {}),
    ...(sameSession && before.native !== undefined ? { native: before.native } : {}),
    facts: { dispatchedAt: event.at },
    lastWait: 0,
    lastReport: 0,
    lastCheckpoint: 0,
    ...(purpose === undefined ? {} : { purpose }),
    ...(before?.refusal === undefined ? {} : { refusal: before.refusal }),
    ...(before?.checkpoint === undefined || purpose !== before.purpose
      ? {}
      : { checkpoint: before.checkpoint }),
    lostSessions: before?.lostSessions ?? 0,
    failedLives: before?.failedLives ?? [],
    crashGeneration: before?.crashGeneration ?? 0,
    spent: spentBefore(before, event.at),
    warnings: [],
    ...heardOf(before),
    lateReports: before?.lateReports ?? [],
  };
}

/** Calls that let a worker continue what it was called for before. */
const CONTINUING: ReadonlySet<Purpose> = new Set<Purpose>(['start', 'crash', 'feedback', 'operator']);

/** A journal of an older version does not name the purpose; such a worker continues. */
function presentPurpose(
  { purpose }: EventOf<'attempt.dispatched'>,
  before: WorkerRecord | undefined,
): Purpose | undefined {
  if (before === undefined) return purpose;
  const beginsAgain = purpose === 'start' && before.facts.acceptedAt !== undefined;
  if (beginsAgain || (purpose !== undefined && !CONTINUING.has(purpose))) return purpose;
  return before.purpose;
}

function heardOf(before: WorkerRecord | undefined): Pick<WorkerRecord, 'heardBefore'> {
  const { heardBefore = [], attempt = 0, lastReport = 0 } = before ?? {};
  const heard = lastReport === 0 ? heardBefore : [...heardBefore, { attempt, report: lastReport }];
  return heard.length === 0 ? {} : { heardBefore: heard };
}
