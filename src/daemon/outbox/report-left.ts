/** Whether a report of an attempt lies where the daemon has not taken it in yet: in its outbox, or behind its done flag. */
import { join } from 'node:path';
import { DONE_FLAG, readDoneFlag, readOutboxEntry } from '../../protocol/outbox.ts';
import { readOutbox } from './find-entries.ts';
import { readEntryFile } from './read-entry-file.ts';

export type LeftReport =
  | 'none'
  /** It could not be looked for. */
  | 'unavailable'
  | { readonly where: 'outbox' | 'done_flag'; readonly outcome: 'done' | 'error'; readonly since: number };

/** Never rejects: what cannot be read is no proof that nothing is there. */
export async function reportLeft(outbox: string): Promise<LeftReport> {
  try {
    return (await waiting(outbox)) ?? flagged(outbox) ?? 'none';
  } catch {
    return 'unavailable';
  }
}

/** The latest one: a worker that said "done" and then "error" is not done. What is no message is set aside by others. */
async function waiting(outbox: string): Promise<LeftReport | undefined> {
  for (const name of (await readOutbox(outbox)).names.toReversed()) {
    const file = readEntryFile(join(outbox, name));
    const entry = file.found === 'text' ? readOutboxEntry(file.text, name) : undefined;
    if (entry?.ok !== true) continue;
    const { verb, at } = entry.value;
    if (verb === 'done' || verb === 'error') return { where: 'outbox', outcome: verb, since: at };
  }
  return undefined;
}

function flagged(outbox: string): LeftReport | undefined {
  const file = readEntryFile(join(outbox, DONE_FLAG));
  const flag = file.found === 'text' ? readDoneFlag(file.text) : undefined;
  if (flag?.ok !== true) return undefined;
  return { where: 'done_flag', outcome: flag.value.verb, since: flag.value.at };
}
