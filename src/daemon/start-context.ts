/** What decides whether a worker may start now, as it is at this moment. */
import type { StartContext } from '../core/state/starts.ts';
import type { World } from './world.ts';

export function startContext({ settings, agents, clock, view, dayOf, preflight }: World): StartContext {
  const now = clock.now();
  const holds = preflight.holds();
  const { places, staggerMs, health, budgets } = settings();
  return {
    ...{ places, staggerMs, health, budgets, agents },
    boardGoodUntil: view.goodUntil,
    holdOn: holds.on,
    isEverythingHeld: holds.isOnEverything,
    now,
    day: dayOf?.(now),
  };
}
