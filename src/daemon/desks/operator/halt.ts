/** `legion halt`: what an operator is told about it. */
import type { HaltAnswer } from '../../../protocol/stopping.ts';
import type { Control } from '../../control.ts';

export async function halt(control: Control, by: string, why: string): Promise<HaltAnswer> {
  const { before, stopped, merging } = await control.halt({ by, why });
  const opening =
    before === undefined
      ? 'The legion is halted: no worker is started until `legion resume`.'
      : `The legion was already halted by ${before.by} at ${new Date(before.since).toISOString()}; \`legion resume\` ends it.`;
  const stops = stopped.length === 0 ? 'No worker was running.' : `Being stopped: ${stopped.join(', ')}.`;
  const merges =
    merging.length === 0
      ? []
      : [`A merge has begun and completes first; then these are stopped: ${merging.join(', ')}.`];
  return { says: [opening, stops, ...merges].join(' '), stopped: [...stopped], merging: [...merging] };
}
