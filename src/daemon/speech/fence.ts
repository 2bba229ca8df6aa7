/** The fence between an attempt and those after it: only the present one, while it has not ended, may change anything. */
import type { Event, EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { workerId } from '../../core/model/ids.ts';
import { type IssueRecord, newIssueRecord, type Swarm, type WorkerRecord } from '../../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import type { WorkerIdentity } from '../daemon.ts';
import type { World } from '../world.ts';

/** Rejects with `worker.attempt_over` for everybody else. */
export function presentWorker(swarm: Swarm, who: WorkerIdentity): WorkerRecord {
  const worker = knownWorker(swarm, who);
  if (who.attempt !== worker.attempt) {
    throw over(who, `attempt ${worker.attempt} has taken its place`);
  }
  const state = lifecycleOf(worker.facts);
  if (hasEnded(state)) throw over(who, `it is ${state}`);
  return worker;
}

/** Also one whose attempt is over. Ids of workers are in lower case, so the issue is compared as well. */
export function knownWorker(swarm: Swarm, who: WorkerIdentity): WorkerRecord {
  const worker = swarm.workers.get(workerId(who.issue, who.mode));
  if (worker === undefined || worker.issue !== who.issue || who.attempt > worker.attempt) {
    throw over(who, 'the journal does not know of it');
  }
  return worker;
}

function over({ issue, mode, attempt }: WorkerIdentity, why: string): LegionError {
  return new LegionError('worker.attempt_over', `attempt ${attempt} of ${workerId(issue, mode)}: ${why}`);
}

export interface Moment {
  readonly swarm: Swarm;
  readonly worker: WorkerRecord;
  readonly record: IssueRecord;
}

/** Appends what the present attempt says; most events carry no attempt of their own, so the fence is asked once more. */
export function appendAs(
  world: World,
  who: WorkerIdentity,
  bodies: (moment: Moment) => readonly EventBody[],
): Promise<readonly Event[]> {
  return world.ledger.append((swarm) => {
    const worker = presentWorker(swarm, who);
    return bodies({ swarm, worker, record: swarm.issues.get(who.issue) ?? newIssueRecord(who.issue) });
  });
}
