/** Finding a worker by its id. */
import { LegionError, shown } from '../../../core/model/fault.ts';
import type { WorkerId } from '../../../core/model/ids.ts';
import type { Swarm, WorkerRecord } from '../../../core/state/state.ts';

/** Ids are in lower case; one that was typed otherwise is meant all the same. */
export function knownWorker(swarm: Swarm, worker: WorkerId): WorkerRecord {
  const found = swarm.workers.get(worker.toLowerCase());
  if (found === undefined) throw new LegionError('worker.unknown', `there is no worker ${shown(worker)}`);
  return found;
}
