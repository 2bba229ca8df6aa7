/** Two lives of one worker must not work at once: what an earlier one has left is asked to leave, and then made to. */
import { LegionError } from '../../domain/fault.ts';
import type { WorkerId } from '../../domain/ids.ts';
import type { FoundProcess } from '../../hosts/host.ts';
import type { World } from '../world.ts';
import { endProcess } from './end-process.ts';

/**
 * Its attempt is over, so nobody healthy is stopped here: it has reported, asked, or was found dead. Rejects with
 * `host.unavailable` where one could not be ended: no signal may have reached it, and it may still be at work.
 */
export async function endEarlierLives(
  world: World,
  worker: WorkerId,
  attempt: number,
  signal: AbortSignal,
): Promise<void> {
  if (attempt === 1) return;
  const earlier = await livesBefore(world, worker, attempt);
  if (earlier.length === 0) return;
  const asked = { at: world.clock.now() };
  for (const process of earlier) await endProcess(world, process, asked, signal);
  const [left] = await livesBefore(world, worker, attempt);
  if (left !== undefined)
    throw new LegionError('host.unavailable', `attempt ${left.attempt} of ${worker} could not be ended`);
}

async function livesBefore({ host }: World, worker: WorkerId, attempt: number): Promise<FoundProcess[]> {
  const found = await host.adopt(worker);
  return found.filter((each) => each.attempt < attempt && each.role !== 'escaped');
}
