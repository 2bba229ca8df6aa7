/** The folded state as plain JSON. */
import { flattenSwarm } from '../../core/state/snapshot.ts';
import type { Swarm } from '../../core/state/state.ts';

export function swarmAsJson(swarm: Swarm): unknown {
  return flattenSwarm(swarm, (map) => Object.fromEntries(map));
}
