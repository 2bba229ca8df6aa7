/** What decides whether a worker may start now, as it is at this moment. */
import type { StartContext } from '../swarm/starts.ts';
import type { World } from './world.ts';

export function startContext({ settings, agents, clock, view, dayOf, preflight }: World): StartContext {
  const now = clock.now();
  const { places, staggerMs, health, budgets } = settings();
  return {
    ...{ places, staggerMs, health, budgets, agents },
    boardGoodUntil: view.goodUntil,
    holdOn: preflight.holds(),
    now,
    day: dayOf?.(now),
  };
}
