/** How much of what strangers send is held in memory at once, before it is known who they are. */
import { LegionError } from '../domain/fault.ts';

/** Bytes of all deliveries that are arriving: a thousand of GitHub's usual size, eight of the largest. */
export const ARRIVING_MOST_BYTES = 32 * 1024 * 1024;

export interface Arriving {
  /** Does `work`, which may hold so many bytes; refuses where they would be too many. */
  hold<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

export function arrivingBytes(): Arriving {
  let held = 0;
  return {
    async hold(bytes, work) {
      if (held + bytes > ARRIVING_MOST_BYTES) {
        throw new LegionError('webhook.busy', `${held} bytes of other deliveries are arriving`);
      }
      held += bytes;
      try {
        return await work();
      } finally {
        held -= bytes;
      }
    },
  };
}
