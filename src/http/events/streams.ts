/** The event streams that are open: how many there may be, and the way to end them all. */
import { LegionError } from '../../domain/fault.ts';
import type { Sending } from './send-events.ts';

/** Some dashboards and a `legion watch` or two; each costs a socket and a read of the journal after every append. */
const MOST_STREAMS = 32;

export interface Streams {
  /** Refused, before it has begun, where there are too many. */
  begin(start: () => Sending): void;
  endAll(): void;
}

export function eventStreams(onError: (error: unknown) => void): Streams {
  const open = new Set<Sending>();
  return {
    begin(start) {
      if (open.size >= MOST_STREAMS) {
        throw new LegionError('http.too_many_streams', `${MOST_STREAMS} event streams are open`);
      }
      const sending = start();
      open.add(sending);
      void sending.over.catch(onError).finally(() => open.delete(sending));
    },
    endAll() {
      for (const sending of open) sending.end();
    },
  };
}
