/** Ends an attempt in the journal and begins the stop ladder for its process. */
import type { Command } from '../domain/command.ts';
import { LegionError } from '../domain/fault.ts';
import type { WorkerId } from '../domain/ids.ts';
import { hasEnded, lifecycleOf } from '../domain/lifecycle.ts';
import type { World } from './world.ts';

/** Writes the intent down and performs it; nobody waits for that. */
export type Order = (command: Command) => void;

export async function stopWorker({ ledger }: World, order: Order, id: WorkerId, why: string): Promise<void> {
  const worker = ledger.swarm.workers.get(id);
  if (worker === undefined) throw new LegionError('worker.unknown', `there is no worker ${id}`);
  const { issue, mode, attempt } = worker;
  // The slot is free before the process is: nobody waits for somebody who was told to leave.
  await ledger.append((swarm) => {
    const present = swarm.workers.get(id);
    const over = present?.attempt !== attempt || hasEnded(lifecycleOf(present.facts));
    return over ? [] : [{ type: 'attempt.stopped', issue, mode, attempt, why }];
  });
  order({ kind: 'stop', issue, mode, attempt, evidence: [why] });
}
