/**
 * Keeps messages while the daemon is unreachable, and records that a worker's final report was
 * sent.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { writeDurably } from '../lib/fs/atomic-write.ts';
import { listNames, makeFolderDurably } from '../lib/fs/folder.ts';
import {
  createOutboxEntryName,
  DONE_FLAG,
  type DoneFlag,
  isOutboxEntryName,
  type OutboxEntry,
  parseOutboxEntry,
  QUESTION_FLAG,
} from '../protocol/outbox.ts';

/** Resolves to the path of the file once the file would survive a power cut. */
export async function keepInOutbox(folder: string, entry: OutboxEntry): Promise<string> {
  try {
    const file = join(folder, createOutboxEntryName(entry.at, entry.id, await listNames(folder)));
    await makeFolderDurably(folder);
    await writeDurably(file, `${JSON.stringify(entry)}\n`);
    return file;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('speech.outbox_failed', `outbox ${folder}: ${why}`, { cause: error });
  }
}

/**
 * Second phase of a report: writes a file that confirms that the daemon has the report. Call only
 * after the daemon's acknowledgement, because readers of the file rely on the report being durable.
 */
export async function writeDoneFlag(outbox: string, flag: DoneFlag): Promise<void> {
  try {
    await makeFolderDurably(outbox);
    await writeDurably(join(outbox, DONE_FLAG), `${JSON.stringify(flag)}\n`);
  } catch {
    // The daemon already has the report. Reporting a failure would only make the worker send it
    // again.
  }
}

/** Verbs after which the worker ends its turn, because the next step is not up to the worker. */
const FINAL_VERBS: readonly string[] = ['done', 'error', 'ask'];

/**
 * Detects whether a worker has sent a verb that ends its phase for now: a report, an error or a
 * question. This includes messages in the outbox, which were sent while the daemon was unreachable.
 */
export async function hasFinalReport(outbox: string): Promise<boolean> {
  const names = await listNames(outbox);
  if (names.includes(DONE_FLAG) || names.includes(QUESTION_FLAG)) return true;
  for (const name of names.filter(isOutboxEntryName)) {
    const entry = parseOutboxEntry(await readFile(join(outbox, name), 'utf8').catch(() => ''), name);
    if (entry.ok && FINAL_VERBS.includes(entry.value.verb)) return true;
  }
  return false;
}

/**
 * Records that the daemon has the question. If the record cannot be written, the worker only gets
 * an unnecessary reminder.
 */
export async function markAsked(outbox: string): Promise<void> {
  try {
    await makeFolderDurably(outbox);
    await writeDurably(join(outbox, QUESTION_FLAG), '');
  } catch {
    // The daemon already has the question. Reporting a failure would only make the worker ask
    // again.
  }
}
