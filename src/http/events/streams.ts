/** The open event streams: how many there may be, and the way to end them all. */
import { LegionError } from '../../core/model/fault.ts';

/** Some dashboards and a `legion watch` or two; each costs a socket and a read of the journal after every append. */
const MAX_STREAMS = 32;

export interface Streams {
  /** Refuses one too many. Call the result when the stream has ended. */
  add(end: () => void): () => void;
  endAll(): void;
}

export function openStreams(): Streams {
  const open = new Set<() => void>();
  return {
    add(end) {
      if (open.size >= MAX_STREAMS) {
        throw new LegionError('http.too_many_streams', `${MAX_STREAMS} event streams are open`);
      }
      open.add(end);
      return () => void open.delete(end);
    },
    endAll() {
      for (const end of open) end();
    },
  };
}
