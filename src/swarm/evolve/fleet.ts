/** What concerns the whole fleet: kills and how they are judged, and the breaker. */
import type { EventOf } from '../../domain/event.ts';
import type { Swarm } from '../state.ts';

type FleetEvent = EventOf<'kill.performed' | 'kill.judged' | 'breaker.opened' | 'breaker.closed'>;

export function evolveFleet(swarm: Swarm, event: FleetEvent): boolean {
  const { kills, breaker } = swarm;
  switch (event.type) {
    case 'kill.performed':
      if (event.kill !== kills.last + 1) return false;
      swarm.kills = { ...kills, last: event.kill, unjudged: [...kills.unjudged, event.kill] };
      return true;
    case 'kill.judged':
      if (!kills.unjudged.includes(event.kill)) return false;
      swarm.kills = {
        ...kills,
        unjudged: kills.unjudged.filter((kill) => kill !== event.kill),
        right: kills.right + (event.right ? 1 : 0),
        wrong: kills.wrong + (event.right ? 0 : 1),
      };
      return true;
    case 'breaker.opened':
      if (event.breaker !== breaker.serial + 1 || breaker.open !== undefined) return false;
      swarm.breaker = { serial: event.breaker, open: { since: event.at, why: event.why } };
      return true;
    case 'breaker.closed':
      if (event.breaker !== breaker.serial || breaker.open === undefined) return false;
      swarm.breaker = { serial: breaker.serial };
      return true;
  }
}
