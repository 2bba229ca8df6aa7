/** Takes in one outbox: each message once, in the order it was kept. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import type { Speech } from '../daemon.ts';
import { deliver } from './deliver.ts';
import { readOutbox } from './find-entries.ts';
import { setAside } from './set-aside.ts';

export interface OutboxReading {
  /** How many messages were taken in. */
  readonly taken: number;
  readonly hasSetAside: boolean;
  /** Messages are left that a later reading may take in. */
  readonly hasMore: boolean;
  /** Why something is left. */
  readonly trouble?: unknown;
}

/**
 * A message that can never be taken in is set aside, where a person finds it; one that cannot be taken in now stays, with
 * those behind it. Never rejects.
 */
export async function takeInOutbox(folder: string, speech: Speech): Promise<OutboxReading> {
  let taken = 0;
  let hasSetAside = false;
  let trouble: unknown;
  try {
    const { names, hasMore } = await readOutbox(folder);
    for (const name of names) {
      const delivery = await deliver(join(folder, name), speech);
      switch (delivery.became) {
        case 'taken':
          // Removed only now: after a kill before this, the same message comes once more and changes nothing.
          await rm(join(folder, name), { force: true });
          taken += 1;
          break;
        case 'impossible':
          hasSetAside = true;
          // Where not even that is possible it stays, and those behind it are still taken in.
          await setAside(folder, name, delivery.why).catch((error: unknown) => {
            trouble ??= toUnusable(folder, error);
          });
          break;
        case 'gone':
          break;
        case 'later':
          return { taken, hasSetAside, hasMore: true, trouble: delivery.error };
      }
    }
    return { taken, hasSetAside, hasMore, trouble };
  } catch (error) {
    return { taken, hasSetAside, hasMore: true, trouble: toUnusable(folder, error) };
  }
}

export function toUnusable(folder: string, error: unknown): LegionError {
  if (error instanceof LegionError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new LegionError('speech.outbox_unusable', `${folder}: ${why}`, { cause: error });
}
