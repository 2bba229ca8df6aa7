/** One message from an outbox, said in the name its token proves. */
import { workerId } from '../../domain/ids.ts';
import { type OutboxEntry, readOutboxEntry } from '../../protocol/outbox.ts';
import { KEPT_WHILE_AWAY } from '../../protocol/verb.ts';
import type { Speech, WorkerIdentity } from '../daemon.ts';
import { isForGood } from './for-good.ts';
import { readEntryFile } from './read-entry-file.ts';

export type Delivery =
  | { readonly became: 'taken' }
  /** Somebody else was faster. */
  | { readonly became: 'gone' }
  | { readonly became: 'impossible'; readonly why: string }
  | { readonly became: 'later'; readonly error: unknown };

export async function deliver(path: string, speech: Speech): Promise<Delivery> {
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
