/** The outbox: where messages wait while the daemon is away. */

import { join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { writeDurably } from '../lib/fs/atomic-write.ts';
import { listNames, makeFolderDurably } from '../lib/fs/folder.ts';
import { type OutboxEntry, outboxEntryName } from '../protocol/outbox.ts';

/** Resolves to the file, once it would survive a power cut. */
export async function keepInOutbox(folder: string, entry: OutboxEntry): Promise<string> {
  try {
    const file = join(folder, outboxEntryName(entry.at, entry.id, await listNames(folder)));
    await makeFolderDurably(folder);
    await writeDurably(file, `${JSON.stringify(entry)}\n`);
    return file;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('speech.outbox_failed', `outbox ${folder}: ${why}`, { cause: error });
  }
}
