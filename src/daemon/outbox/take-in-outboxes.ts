/** Takes in what workers left in their outboxes while the daemon was away: each message once, in the order it was kept. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import type { Speech } from '../daemon.ts';
import type { World } from '../world.ts';
import { deliver } from './deliver.ts';
import { entriesIn, outboxesBelow } from './find-entries.ts';
import { setAside, tellOfSetAside } from './set-aside.ts';

/** In the legion's state folder: where every attempt's outbox lies. */
export const OUTBOXES = 'outbox';

const TROUBLE = 'outbox';

/**
 * Resolves to how many messages were taken in. One that can never be is set aside, where a person finds it; one that cannot
 * be now stays, with those behind it in the same outbox, and no other outbox waits for that. It never rejects.
 */
export async function takeInOutboxes(world: World, speech: Speech): Promise<number> {
  const root = join(world.folders.state, OUTBOXES);
  let taken = 0;
  let trouble: unknown;
  try {
    const folders = await outboxesBelow(root);
    for (const folder of folders) {
      const result = await takeInOne(folder, speech);
      taken += result.taken;
      trouble ??= result.trouble;
    }
    await tellOfSetAside(world, folders);
  } catch (error) {
    trouble ??= unusable(root, error);
  }
  if (trouble === undefined) world.troubles.clear(TROUBLE);
  else world.troubles.raise(TROUBLE, trouble);
  return taken;
}

interface Result {
  readonly taken: number;
  readonly trouble?: unknown;
}

async function takeInOne(folder: string, speech: Speech): Promise<Result> {
  let taken = 0;
  let trouble: unknown;
  try {
    for (const name of await entriesIn(folder)) {
      const delivery = await deliver(join(folder, name), speech);
      switch (delivery.became) {
        case 'taken':
          // Gone only now: killed before this, the same message comes once more and changes nothing.
          await rm(join(folder, name), { force: true });
          taken += 1;
          break;
        case 'impossible':
          // Where not even that is possible it stays, but those behind it are none the worse for it.
          await setAside(folder, name, delivery.why).catch((error: unknown) => {
            trouble ??= unusable(folder, error);
          });
          break;
        case 'gone':
          break;
        case 'later':
          return { taken, trouble: delivery.error };
      }
    }
    return { taken, trouble };
  } catch (error) {
    return { taken, trouble: unusable(folder, error) };
  }
}

function unusable(folder: string, error: unknown): LegionError {
  if (error instanceof LegionError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new LegionError('speech.outbox_unusable', `${folder}: ${why}`, { cause: error });
}
