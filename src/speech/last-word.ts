/** Whether a worker has said what ends its phase for now: a report, an error or a question. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../lib/fs/atomic-write.ts';
import { listNames, makeFolderDurably } from '../lib/fs/folder.ts';
import { ASKED_FLAG, DONE_FLAG, isOutboxEntryName, readOutboxEntry } from '../protocol/outbox.ts';

/** After it a worker ends its turn: what follows is somebody else's move. */
const LAST_WORDS: readonly string[] = ['done', 'error', 'ask'];

/** What lies in the outbox has been said, too: the daemon was away. */
export async function hasLastWord(outbox: string): Promise<boolean> {
  const names = await listNames(outbox);
  if (names.includes(DONE_FLAG) || names.includes(ASKED_FLAG)) return true;
  for (const name of names.filter(isOutboxEntryName)) {
    const entry = readOutboxEntry(await readFile(join(outbox, name), 'utf8').catch(() => ''), name);
    if (entry.ok && LAST_WORDS.includes(entry.value.verb)) return true;
  }
  return false;
}

/** The daemon has the question; a mark that cannot be written costs a reminder and nothing else. */
export async function markAsked(outbox: string): Promise<void> {
  try {
    await makeFolderDurably(outbox);
    await writeDurably(join(outbox, ASKED_FLAG), '');
  } catch {
    // As with the done flag: told of a failure, the worker would ask once more for nothing.
  }
}
