/** Two lives of one worker must not work at once: what an earlier one has left is asked to leave, and then made to. */
import type { WorkerId } from '../../domain/ids.ts';
import type { World } from '../world.ts';
import { endProcess } from './end-process.ts';

/** Its attempt is over, so nobody healthy is stopped here: it has reported, asked, or was found dead. */
export async function endEarlierLives(
  world: World,
  worker: WorkerId,
  attempt: number,
  signal: AbortSignal,
): Promise<void> {
  if (attempt === 1) return;
  const left = (await world.host.adopt()).filter(
    (found) => found.worker === worker && found.attempt < attempt && found.role !== 'escaped',
  );
  const asked = { at: world.clock.now() };
  for (const process of left) await endProcess(world, process, asked, signal);
}
