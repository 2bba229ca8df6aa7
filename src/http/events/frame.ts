/** Events in the form of `text/event-stream`. */
import type { Event } from '../../domain/event.ts';

/** A comment, which readers skip: it shows both ends that the other one is there. */
export const HEARTBEAT = ': still here\n\n';

/** Milliseconds after which a browser whose stream broke tries again: a restarted daemon is back within one. */
export const GREETING = 'retry: 1000\n\n';

/** JSON has no line break, so that one `data` line is enough. */
export function frame(event: Event): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
