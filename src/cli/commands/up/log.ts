/** `daemon.log` in the state folder: where a daemon in the background writes, and what it wrote last. */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../../domain/fault.ts';
import { parseJson } from '../../../lib/json.ts';

const FILE = 'daemon.log';
/** Some weeks of a busy legion; at the next start an older one of this size is put aside, and only one is kept. */
const ROTATE_BYTES = 32 * 1_024 * 1_024;
/** Enough for a reason with its stack. */
const END_BYTES = 4_096;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface DaemonLog {
  readonly path: string;
  readonly descriptor: number;
  /** The end of what was written since it was opened, as text for people. */
  end(): string;
}

export function openDaemonLog(state: string): DaemonLog {
  const path = join(state, FILE);
  try {
    mkdirSync(state, { recursive: true, mode: FOLDER_MODE });
    const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (before > ROTATE_BYTES) renameSync(path, `${path}.1`);
    const descriptor = openSync(path, 'a', FILE_MODE);
    const begin = fstatSync(descriptor).size;
    return { path, descriptor, end: () => endOf(path, begin) };
  } catch (error) {
    throw new LegionError('daemon.state_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
}

function endOf(path: string, begin: number): string {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const from = Math.max(begin, size - END_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - from));
    const length = readSync(descriptor, buffer, 0, buffer.length, from);
    const lines = buffer.toString('utf8', 0, length).split('\n');
    const text = lines.flatMap(toReadableLines).join('\n').trim();
    return text === '' ? `${path} has nothing about it` : text;
  } finally {
    closeSync(descriptor);
  }
}

/** The last entry of every daemon; that it ended is known. */
const ENDED = 'ended';

/** The message of a log entry; any other line, such as an error with its stack, as it is. */
function toReadableLines(line: string): readonly string[] {
  const entry = parseJson(line);
  const isEntry = typeof entry === 'object' && entry !== null && 'msg' in entry;
  if (!isEntry) return [line];
  return entry.msg === ENDED ? [] : [String(entry.msg)];
}
