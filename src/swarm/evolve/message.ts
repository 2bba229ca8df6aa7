/** Messages to sessions: queued once, delivered once, or put aside where a person sees them. */
import type { EventOf } from '../../core/model/event.ts';
import type { Swarm } from '../../core/state/state.ts';

type MessageEvent = EventOf<'message.queued' | 'message.delivered' | 'message.set_aside'>;

export function evolveMessage(swarm: Swarm, event: MessageEvent): boolean {
  if (event.type === 'message.queued') return queue(swarm, event);
  const message = swarm.messages.get(event.message);
  if (message === undefined) return false;
  if (event.type === 'message.delivered') return swarm.messages.delete(event.message);
  if (message.setAside !== undefined) return false;
  swarm.messages.set(event.message, { ...message, setAside: event.why });
  return true;
}

function queue(swarm: Swarm, event: EventOf<'message.queued'>): boolean {
  if (event.message !== swarm.lastMessage + 1) return false;
  const { to, key, body, at } = event;
  const urgent = event.interrupt === true ? { interrupt: true } : {};
  swarm.lastMessage = event.message;
  swarm.messages.set(event.message, { to, key, body, queuedAt: at, ...urgent });
  return true;
}
