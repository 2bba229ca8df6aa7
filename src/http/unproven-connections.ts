/** Connections over loopback that have proved nothing yet, so that no number of them keeps others out. */
import type { Socket } from 'node:net';

/** More than a busy legion ever has, and more than the system hands over at once. */
export const MAX_UNPROVEN = 512;

export interface UnprovenConnections {
  /** Counts a connection until it closes or is proved. */
  add(connection: Socket): void;
  /** It has been answered, and its wait begins again. */
  renew(connection: Socket): void;
  /** A token or a session came over it: from now on it is never closed for others. */
  prove(connection: Socket): void;
}

/**
 * One too many closes the one that has waited longest. A request takes milliseconds to arrive, so that this is one that
 * sends nothing, or slowly; a real one gets through however many of those there are.
 */
export function unprovenConnections(): UnprovenConnections {
  // In the order in which their waits began.
  const waiting = new Set<Socket>();
  return {
    add(connection) {
      waiting.add(connection);
      connection.once('close', () => waiting.delete(connection));
      const [oldest] = waiting;
      if (waiting.size > MAX_UNPROVEN) oldest?.destroy();
    },
    renew(connection) {
      if (waiting.delete(connection) && !connection.destroyed) waiting.add(connection);
    },
    prove(connection) {
      waiting.delete(connection);
    },
  };
}
