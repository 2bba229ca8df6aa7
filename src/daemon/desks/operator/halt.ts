/** `legion halt`: what an operator is told about it. */
import type { HaltAnswer } from '../../../protocol/stopping.ts';
import type { Control } from '../../control.ts';
import type { World } from '../../world.ts';
import { describeStoppingWorkers } from './describe-stopping-workers.ts';

export async function halt(world: World, control: Control, by: string, why: string): Promise<HaltAnswer> {
  const { before, stopped, merging } = await control.halt({ by, why });
  const opening =
    before === undefined
      ? 'The legion is halted: no worker is started until `legion resume`.'
      : `The legion was already halted by ${before.by} at ${new Date(before.since).toISOString()}; \`legion resume\` ends it.`;
  const stopping = describeStoppingWorkers(world);
  // A worker that was only starting may be gone by now.
  const gone = stopped.filter((id) => !stopping.includes(`${id} is `));
  const stops = [stopping, gone.length === 0 ? '' : `Stopped: ${gone.join(', ')}.`].filter(
    (each) => each !== '',
  );
  if (stops.length === 0) stops.push('No worker was running.');
  const merges =
    merging.length === 0
      ? []
      : [`A merge has begun and completes first; then these are stopped: ${merging.join(', ')}.`];
  return { says: [opening, ...stops, ...merges].join(' '), stopped: [...stopped], merging: [...merging] };
}
