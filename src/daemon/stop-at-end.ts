/** Stops every worker before the daemon ends; the next daemon continues their sessions. */
import type { EventBody } from '../core/model/event.ts';
import type { Swarm } from '../core/state/state.ts';
import { haltLegion } from './halt.ts';
import type { Loop } from './loop.ts';
import type { World } from './world.ts';

/** A merge may take a minute of git; TERM, 10 s, KILL and a drain follow it. */
const STOPPED_WITHIN_MS = 75_000;

/**
 * The halt keeps the loop from starting anybody meanwhile, and is taken back once the loop has ended. A daemon that is killed
 * in between leaves the legion halted, which everybody sees and `legion resume` ends.
 */
export async function stopWorkersAtEnd(
  world: World,
  loop: Loop,
  by: string,
  stopLoop: () => Promise<void>,
): Promise<void> {
  const before = world.ledger.swarm.breaker.open;
  const { settled } = await haltLegion(world, loop.performer, { by, why: 'legion down --stop' });
  const late = new AbortController();
  await Promise.race([settled, world.clock.sleep(STOPPED_WITHIN_MS, late.signal).catch(() => undefined)]);
  late.abort();
  await stopLoop();
  if (before?.kind !== 'halt') await world.ledger.append((swarm) => takeBack(swarm, before, by));
}

/** A pause that was set before is set again. */
function takeBack({ breaker }: Swarm, before: Swarm['breaker']['open'], by: string): EventBody[] {
  const closed: EventBody = { type: 'breaker.closed', breaker: breaker.serial, by };
  if (before?.kind !== 'pause') return [closed];
  const { kind, why } = before;
  return [closed, { type: 'breaker.opened', breaker: breaker.serial + 1, kind, why, by: before.by }];
}
