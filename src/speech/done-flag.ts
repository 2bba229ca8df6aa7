/** The second phase of a report: a file that says the daemon has it. */
import { join } from 'node:path';
import { writeDurably } from '../lib/fs/atomic-write.ts';
import { makeFolderDurably } from '../lib/fs/folder.ts';
import { DONE_FLAG, type DoneFlag } from '../protocol/outbox.ts';

/** Call it only after the acknowledgement: whoever sees the flag relies on the report being durable. */
export async function raiseDoneFlag(outbox: string, flag: DoneFlag): Promise<void> {
  try {
    await makeFolderDurably(outbox);
    await writeDurably(join(outbox, DONE_FLAG), `${JSON.stringify(flag)}\n`);
  } catch {
    // The report itself is safe with the daemon; told of a failure, the worker would report once more for nothing.
  }
}
