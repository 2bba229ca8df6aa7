/** Ends an attempt in the journal and begins the stop ladder for its process. */
import type { Command } from '../core/model/command.ts';
import type { EventBody } from '../core/model/event.ts';
import { LegionError } from '../core/model/fault.ts';
import type { WorkerId } from '../core/model/ids.ts';
import { isBeingStopped, isRunning } from '../core/state/halt.ts';
import type { Swarm } from '../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../domain/lifecycle.ts';
import type { World } from './world.ts';

/** Writes the intent down and performs it; nobody waits for that. */
export type Order = (command: Command) => void;

/** `alongside` is written in the same append, also where the attempt is over. */
export async function stopWorker(
  { ledger }: World,
  order: Order,
  id: WorkerId,
  why: string,
  alongside: (swarm: Swarm) => readonly EventBody[] = () => [],
): Promise<void> {
  const worker = ledger.swarm.workers.get(id);
  if (worker === undefined) throw new LegionError('worker.unknown', `there is no worker ${id}`);
  const { issue, mode, attempt } = worker;
  // The slot is free before the process is: nobody waits for somebody who was told to leave.
  let hasSomethingToStop = false;
  await ledger.append((swarm) => {
    const present = swarm.workers.get(id);
    const isPresent = present?.attempt === attempt;
    const over = !isPresent || hasEnded(lifecycleOf(present.facts));
    hasSomethingToStop = isPresent && isRunning(present) && !(over && isBeingStopped(swarm, present));
    const stopped: EventBody[] = over ? [] : [{ type: 'attempt.stopped', issue, mode, attempt, why }];
    return [...alongside(swarm), ...stopped];
  });
  if (hasSomethingToStop) order({ kind: 'stop', issue, mode, attempt, evidence: [why] });
}
