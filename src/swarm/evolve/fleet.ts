/** What concerns the whole fleet: kills and how they are judged, and the breaker. */
import type { EventOf } from '../../domain/event.ts';
import { workerId } from '../../domain/ids.ts';
import type { Swarm, UnjudgedKill } from '../state.ts';

type FleetEvent = EventOf<'kill.performed' | 'kill.judged' | 'breaker.opened' | 'breaker.closed'>;

export function evolveFleet(swarm: Swarm, event: FleetEvent): boolean {
  const { kills, breaker } = swarm;
  switch (event.type) {
    case 'kill.performed':
      if (event.kill !== kills.last + 1) return false;
      swarm.kills = { ...kills, last: event.kill, unjudged: [...kills.unjudged, unjudged(event)] };
      return true;
    case 'kill.judged':
      if (!kills.unjudged.some(({ kill }) => kill === event.kill)) return false;
      swarm.kills = {
        ...kills,
        unjudged: kills.unjudged.filter(({ kill }) => kill !== event.kill),
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

function unjudged(event: EventOf<'kill.performed'>): UnjudgedKill {
  const { kill, issue, mode, attempt, evidence, at } = event;
  return {
    ...{ kill, issue, mode, attempt, evidence, worker: workerId(issue, mode), killedAt: at },
    flaggedAt: event.flaggedAt ?? at,
    changeAt: event.changeAt ?? 'none',
    agentEventAt: event.agentEventAt ?? 'none',
  };
}
