/** What concerns the whole fleet: kills and how they are judged, and the breaker. */

import type { GlobalHold, UnjudgedKill } from '../../../swarm/fleet-state.ts';
import type { EventOf } from '../../model/event.ts';
import { workerId } from '../../model/ids.ts';
import type { Swarm } from '../state.ts';

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
      return open(swarm, event);
    case 'breaker.closed':
      if (event.breaker !== breaker.serial || breaker.open === undefined) return false;
      swarm.breaker = { serial: breaker.serial };
      return true;
  }
}

/** How a pause begins in journals written before events carried a kind. */
const PAUSED_BY = 'paused by ';

/** A stronger hold replaces a weaker one: a person's pause outlasts the host checks, and a halt replaces a pause. */
const STRENGTH = { deaths: 0, pause: 1, halt: 2 } as const satisfies Record<GlobalHold['kind'], number>;

function open(swarm: Swarm, event: EventOf<'breaker.opened'>): boolean {
  const { serial, open: present } = swarm.breaker;
  const { breaker, why, by, at } = event;
  if (breaker !== serial + 1) return false;
  const kind = event.kind ?? (why.startsWith(PAUSED_BY) ? 'pause' : 'deaths');
  if (present !== undefined && STRENGTH[present.kind] >= STRENGTH[kind]) return false;
  swarm.breaker = { serial: breaker, open: { kind, since: at, why, ...(by === undefined ? {} : { by }) } };
  return true;
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
