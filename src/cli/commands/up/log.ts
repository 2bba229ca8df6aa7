/** `daemon.log` in the state folder: where a daemon in the background writes, and what it wrote last. */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../../domain/fault.ts';

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
  /** The end of what was written since it was opened. */
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
    const text = buffer.toString('utf8', 0, length).trim();
    return text === '' ? `${path} has nothing about it` : text;
  } finally {
    closeSync(descriptor);
  }
}
