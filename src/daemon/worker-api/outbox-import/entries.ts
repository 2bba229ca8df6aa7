/**
 * Finds the outboxes of all attempts and their messages. Never follows a symlink out of the state
 * directory.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readBounded } from '../../../lib/fs/read-bounded.ts';
import {
  DONE_FLAG,
  isOutboxEntryName,
  MAX_MESSAGE_BYTES,
  parseDoneFlag,
  parseOutboxEntry,
} from '../../../protocol/outbox.ts';
import type { PendingReport } from '../../context/daemon-context.ts';

/** Subdirectory of each outbox for messages that can never be imported. */
export const SET_ASIDE_FOLDER = 'refused';

/**
 * One level for workers, one for attempts and one spare. The depth is limited, because a worker
 * could nest directories endlessly.
 */
const MAX_DEPTH = 3;

/**
 * Maximum number of messages that one pass reads from an outbox. A worker usually has a handful.
 * Further messages wait for the next pass.
 */
const MAX_ENTRIES_AT_ONCE = 1_000;

export interface FoundOutbox {
  readonly folder: string;
  /**
   * True if the outbox contains messages. Also true if it cannot be read, so that the import
   * reports the error.
   */
  readonly needsReading: boolean;
  readonly hasSetAside: boolean;
}

/** Returns every directory below `root`, children first, otherwise in name order. */
export async function findOutboxes(root: string): Promise<FoundOutbox[]> {
  return collectOutboxes(await listFolder(root), root, MAX_DEPTH);
}

async function collectOutboxes(
  entries: readonly Dirent[],
  within: string,
  depth: number,
): Promise<FoundOutbox[]> {
  const found: FoundOutbox[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name === SET_ASIDE_FOLDER || isOutboxEntryName(entry.name)) continue;
    const folder = join(within, entry.name);
    // A directory that a worker has made unreadable must not hide the messages of other workers.
    const content = await listFolder(folder).catch(() => undefined);
    if (depth > 1 && content !== undefined)
      found.push(...(await collectOutboxes(content, folder, depth - 1)));
    found.push({
      folder,
      needsReading: content?.some(({ name }) => isOutboxEntryName(name)) ?? true,
      hasSetAside: content?.some(({ name }) => name === SET_ASIDE_FOLDER) ?? false,
    });
  }
  return found;
}

export interface OutboxEntries {
  /** Message files in the order they were stored. Other files are ignored. */
  readonly names: readonly string[];
  /** Whether more messages are waiting for the next pass. */
  readonly hasMore: boolean;
}

export async function readOutbox(folder: string): Promise<OutboxEntries> {
  const names = (await listFolder(folder)).map(({ name }) => name).filter(isOutboxEntryName);
  return { names: names.slice(0, MAX_ENTRIES_AT_ONCE), hasMore: names.length > MAX_ENTRIES_AT_ONCE };
}

/**
 * Lists a directory. Returns an empty list if it does not exist, because nothing was stored yet or
 * it was cleaned up.
 */
async function listFolder(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Maximum size of a message file: the message and its envelope of id, token and sender. */
const MAX_ENTRY_FILE_BYTES = MAX_MESSAGE_BYTES + 16 * 1_024;

export type EntryFile =
  | { readonly found: 'text'; readonly text: string }
  | { readonly found: 'gone' }
  | { readonly found: 'broken'; readonly why: string };

/**
 * Errors when opening a file that are caused by the file itself. All other errors are the daemon's
 * problems and are thrown.
 */
const BROKEN_REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'it is a symlink',
  EACCES: 'it is not readable',
  ENXIO: 'it is not a regular file',
};

/**
 * Reads a message file that a worker may have forged. Accepts only a regular file of bounded size.
 */
export function readEntryFile(path: string): EntryFile {
  try {
    const bytes = readBounded(path, MAX_ENTRY_FILE_BYTES, 'no links');
    if (bytes === 'too large')
      return { found: 'broken', why: `it is larger than ${MAX_ENTRY_FILE_BYTES} bytes` };
    if (typeof bytes === 'string') return { found: 'broken', why: 'it is not a regular file' };
    return { found: 'text', text: bytes.toString() };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { found: 'gone' };
    const why = BROKEN_REASONS[code];
    if (why === undefined) throw error;
    return { found: 'broken', why };
  }
}

/**
 * Finds an attempt's report that has not been imported yet, in the outbox or in the done flag.
 * Never rejects: if the outbox is unreadable, there may still be a report.
 */
export async function findPendingReport(outbox: string): Promise<PendingReport> {
  try {
    return (await findReportMessage(outbox)) ?? findFlaggedReport(outbox) ?? 'none';
  } catch {
    return 'unavailable';
  }
}

/**
 * Returns the latest report in the outbox: a worker that said "done" and then "error" is not done.
 * Ignores malformed files, which the import refuses.
 */
async function findReportMessage(outbox: string): Promise<PendingReport | undefined> {
  for (const name of (await readOutbox(outbox)).names.toReversed()) {
    const file = readEntryFile(join(outbox, name));
    const entry = file.found === 'text' ? parseOutboxEntry(file.text, name) : undefined;
    if (entry?.ok !== true) continue;
    const { verb, at } = entry.value;
    if (verb === 'done' || verb === 'error') return { where: 'outbox', outcome: verb, since: at };
  }
  return undefined;
}

function findFlaggedReport(outbox: string): PendingReport | undefined {
  const file = readEntryFile(join(outbox, DONE_FLAG));
  const flag = file.found === 'text' ? parseDoneFlag(file.text) : undefined;
  if (flag?.ok !== true) return undefined;
  return { where: 'done_flag', outcome: flag.value.verb, since: flag.value.at };
}
