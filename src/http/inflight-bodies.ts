/** Bounds what strangers can make the daemon hold in memory before they have proved who they are. */
import { LegionError } from '../core/model/fault.ts';

/** Bytes that have arrived of all deliveries together: a thousand of GitHub's usual size, eight of the largest. */
export const MAX_INFLIGHT_BYTES = 32 * 1024 * 1024;

interface InflightBody {
  /** Aborted with `webhook.busy` when this body has to give way. */
  readonly givenUp: AbortSignal;
  /** Counts bytes that have arrived; those that are only announced cost nothing. */
  grow(bytes: number): void;
  /** Releases everything that was counted. */
  close(): void;
}

export interface InflightBodies {
  open(): InflightBody;
}

/** The oldest body gives way: a real delivery arrives within milliseconds, one that still waits is stuck or hostile. */
export function openInflightBodies(): InflightBodies {
  const bodies = new Set<{ size: number; readonly giveUp: AbortController }>();
  let held = 0;

  function makeRoom(): void {
    for (const body of bodies) {
      if (held <= MAX_INFLIGHT_BYTES) return;
      held -= body.size;
      bodies.delete(body);
      body.giveUp.abort(new LegionError('webhook.busy', 'newer deliveries need the memory of this one'));
    }
  }

  return {
    open() {
      const body = { size: 0, giveUp: new AbortController() };
      bodies.add(body);
      return {
        givenUp: body.giveUp.signal,
        grow(bytes) {
          if (!bodies.has(body)) return;
          body.size += bytes;
          held += bytes;
          makeRoom();
        },
        close() {
          if (bodies.delete(body)) held -= body.size;
        },
      };
    },
  };
}
