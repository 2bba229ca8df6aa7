/** What decides whether a worker may start now, as it is at this moment. */
import type { StartContext } from '../swarm/starts.ts';
import type { World } from './world.ts';

export function startContext({ settings, agents, clock, view }: World): StartContext {
  const { places, staggerMs, health, budgets } = settings();
  return {
    ...{ places, staggerMs, health, budgets, agents },
    boardGoodUntil: view.goodUntil,
    now: clock.now(),
  };
}
