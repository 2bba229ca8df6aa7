/** Takes in one outbox: each message once, in the order it was kept. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { workerId } from '../../core/model/ids.ts';
import { type OutboxEntry, readOutboxEntry } from '../../protocol/outbox.ts';
import { KEPT_WHILE_AWAY } from '../../protocol/verb.ts';
import type { Speech, WorkerIdentity } from '../daemon.ts';
import { setAside } from '../worker-api/outbox-import/set-aside.ts';
import { readOutbox } from './find-entries.ts';
import { isForGood } from './for-good.ts';
import { readEntryFile } from './read-entry-file.ts';

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

type Delivery =
  | { readonly became: 'taken' }
  /** Somebody else was faster. */
  | { readonly became: 'gone' }
  | { readonly became: 'impossible'; readonly why: string }
  | { readonly became: 'later'; readonly error: unknown };

/** Delivers one message from an outbox on behalf of the worker that its token identifies. */
async function deliver(path: string, speech: Speech): Promise<Delivery> {
  const file = readEntryFile(path);
  if (file.found !== 'text') return file.found === 'gone' ? { became: 'gone' } : impossible(file.why);
  const entry = readOutboxEntry(file.text, 'message');
  if (!entry.ok) return impossible(entry.fault.message);
  const who = speech.identify(entry.value.token);
  const complaint = who === undefined ? 'its token is none of ours' : complaintAbout(entry.value, who);
  if (who === undefined || complaint !== undefined) return impossible(complaint ?? '');
  try {
    await speech.say(who, entry.value.verb, entry.value.input, entry.value.id, 'outbox');
    return { became: 'taken' };
  } catch (error) {
    return isForGood(error) ? impossible(`${error.code}: ${error.message}`) : { became: 'later', error };
  }
}

function impossible(why: string): Delivery {
  return { became: 'impossible', why };
}

/** What needs an answer was refused to the worker while the daemon was away; nobody would hear of it now. */
function complaintAbout({ verb, worker, attempt }: OutboxEntry, who: WorkerIdentity): string | undefined {
  if (worker !== workerId(who.issue, who.mode) || attempt !== who.attempt) {
    return 'it names another worker or attempt than its token';
  }
  return KEPT_WHILE_AWAY.includes(verb) ? undefined : `${verb} cannot wait in an outbox`;
}
