/** The folded state as plain JSON. */
import { flattenSwarm } from '../../swarm/snapshot.ts';
import type { Swarm } from '../../swarm/state.ts';

export function swarmAsJson(swarm: Swarm): unknown {
  return flattenSwarm(swarm, (map) => Object.fromEntries(map));
}
