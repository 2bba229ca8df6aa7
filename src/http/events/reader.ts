/** The one who reads a stream: how fast it is, and whether it is still there. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../domain/clock.ts';

/** A reader that takes nothing while four heartbeats would have been due is gone, whatever its socket says. */
const STALLED_MS = 60_000;

export interface Reader {
  /** True until it has left, has stalled, or is told to go. */
  isThere(): boolean;
  /** Resolves once there is room for more, or when that does not matter any more. */
  write(text: string): Promise<void>;
  leave(): void;
}

/** `onLeaving` is called once. */
export function reader(outgoing: ServerResponse, clock: Clock, onLeaving: () => void): Reader {
  const leaving = new AbortController();
  leaving.signal.addEventListener('abort', onLeaving);
  const leave = () => leaving.abort();
  outgoing.on('close', leave);
  outgoing.on('error', leave); // one that goes away in the middle of a frame is no trouble of ours

  async function drained(): Promise<void> {
    const patience = new AbortController();
    const goOn = () => patience.abort();
    outgoing.once('drain', goOn);
    leaving.signal.addEventListener('abort', goOn);
    const hasStalled = await clock.sleep(STALLED_MS, patience.signal).then(
      () => true,
      () => false,
    );
    outgoing.off('drain', goOn);
    leaving.signal.removeEventListener('abort', goOn);
    if (!hasStalled) return;
    leave();
    // What it has not taken will never be taken: an orderly end would wait for it.
    outgoing.destroy();
  }

  return {
    isThere: () => !leaving.signal.aborted,
    async write(text) {
      if (!leaving.signal.aborted && !outgoing.write(text)) await drained();
    },
    leave,
  };
}
