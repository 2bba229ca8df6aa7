/** Applies legion-wide events: kills and their verdicts, the breaker, and messages to sessions. */
import type { EventOf } from '../../model/event.ts';
import { toWorkerId } from '../../model/ids.ts';
import type { GlobalHold, UnjudgedKill } from '../fleet-state.ts';
import type { LegionState } from '../state.ts';

type FleetEvent = EventOf<'kill.performed' | 'kill.judged' | 'breaker.opened' | 'breaker.closed'>;

/** Applies kills, their verdicts, and the breaker. */
export function evolveFleet(state: LegionState, event: FleetEvent): boolean {
  const { kills, breaker } = state;
  switch (event.type) {
    case 'kill.performed':
      if (event.kill !== kills.last + 1) return false;
      state.kills = { ...kills, last: event.kill, unjudged: [...kills.unjudged, toUnjudgedKill(event)] };
      return true;
    case 'kill.judged':
      if (!kills.unjudged.some(({ kill }) => kill === event.kill)) return false;
      state.kills = {
        ...kills,
        unjudged: kills.unjudged.filter(({ kill }) => kill !== event.kill),
        right: kills.right + (event.right ? 1 : 0),
        wrong: kills.wrong + (event.right ? 0 : 1),
      };
      return true;
    case 'breaker.opened':
      return openBreaker(state, event);
    case 'breaker.closed':
      if (event.breaker !== breaker.serial || breaker.open === undefined) return false;
      state.breaker = { serial: breaker.serial };
      return true;
  }
}

/** Prefix of a pause's reason in journals written before events had a kind. */
const PAUSED_BY_PREFIX = 'paused by ';

/**
 * Strength of each hold. A stronger hold replaces a weaker one: a person's pause stays even if the
 * host checks pass, and a halt replaces a pause.
 */
const HOLD_STRENGTH = { deaths: 0, pause: 1, halt: 2 } as const satisfies Record<GlobalHold['kind'], number>;

function openBreaker(state: LegionState, event: EventOf<'breaker.opened'>): boolean {
  const { serial, open: present } = state.breaker;
  const { breaker, why, by, at } = event;
  if (breaker !== serial + 1) return false;
  const kind = event.kind ?? (why.startsWith(PAUSED_BY_PREFIX) ? 'pause' : 'deaths');
  if (present !== undefined && HOLD_STRENGTH[present.kind] >= HOLD_STRENGTH[kind]) return false;
  state.breaker = { serial: breaker, open: { kind, since: at, why, ...(by === undefined ? {} : { by }) } };
  return true;
}

function toUnjudgedKill(event: EventOf<'kill.performed'>): UnjudgedKill {
  const { kill, issue, mode, attempt, evidence, at } = event;
  return {
    kill,
    issue,
    mode,
    attempt,
    evidence,
    worker: toWorkerId(issue, mode),
    killedAt: at,
    flaggedAt: event.flaggedAt ?? at,
    changeAt: event.changeAt ?? 'none',
    agentEventAt: event.agentEventAt ?? 'none',
  };
}

type MessageEvent = EventOf<'message.queued' | 'message.delivered' | 'message.set_aside'>;

/** Applies messages to sessions: queued once, then delivered once or set aside for a person. */
export function evolveMessage(state: LegionState, event: MessageEvent): boolean {
  if (event.type === 'message.queued') return applyQueuedMessage(state, event);
  const message = state.messages.get(event.message);
  if (message === undefined) return false;
  if (event.type === 'message.delivered') return state.messages.delete(event.message);
  if (message.setAside !== undefined) return false;
  state.messages.set(event.message, { ...message, setAside: event.why });
  return true;
}

function applyQueuedMessage(state: LegionState, event: EventOf<'message.queued'>): boolean {
  if (event.message !== state.lastMessage + 1) return false;
  const { to, key, body, at } = event;
  const urgent = event.interrupt === true ? { interrupt: true } : {};
  state.lastMessage = event.message;
  state.messages.set(event.message, { to, key, body, queuedAt: at, ...urgent });
  return true;
}
