/**
 * Directory of one attempt: its file names, its atomic creation, the messages delivered to it, and
 * its records (the command to start, the runner that claimed the attempt, the process, and how the
 * process ended).
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { decode } from '../../core/model/decode.ts';
import { LegionError, quoteText } from '../../core/model/fault.ts';
import { toFolderName, type WorkerId } from '../../core/model/ids.ts';
import { writeDurably } from '../../lib/fs/atomic-write.ts';
import { getErrno } from './faults.ts';

/** Prompts and output may contain secrets, so only this user has access. */
export const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Longer than any preparation takes. Directories older than this were left by a crashed daemon. */
const ABANDONED_MS = 3_600_000;

/**
 * - `start.json`: the command to start, written before the start. `stdin`: the input of the
 *   process.
 * - `claim`: exists once a runner has taken the attempt; contains that runner's pid and start time.
 * - `process.json`: the identity of the process, written before it executes anything.
 * - `out`, `err`: output, written by the process itself. `overflowed` exists if some output was
 *   dropped.
 * - `exit.json`: the exit status. This file and `process.json` are created full of blanks to
 *   reserve disk space.
 */
export type AttemptFile =
  | 'start.json'
  | 'stdin'
  | 'claim'
  | 'process.json'
  | 'out'
  | 'err'
  | 'overflowed'
  | 'exit.json';

export function resolveAttemptFolder(state: string, worker: WorkerId, attempt: number): string {
  return join(state, 'attempts', toFolderName(worker), String(attempt));
}

export async function isPathPresent(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (getErrno(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Creates the directory with all its files in one step: under a temporary name, then renamed. If
 * several callers race, one wins and the others find its directory. Returns whether this call won.
 *
 * Nothing is flushed to disk, because a power cut also kills the worker, and an attempt from an
 * earlier boot is never started. Synchronous, because a round trip through the thread pool takes
 * ten times as long as writing one of these small files.
 */
export function prepareAttemptFolder(
  state: string,
  folder: string,
  files: Readonly<Partial<Record<AttemptFile, string>>>,
): boolean {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return false;
  const prepared = join(state, 'preparing', randomUUID());
  mkdirSync(prepared, { recursive: true, mode: FOLDER_MODE });
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: FOLDER_MODE });
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(prepared, name), content, { flag: 'wx', mode: FILE_MODE });
    renameSync(prepared, folder);
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(getErrno(error))) throw error;
    return false;
  }
}

/** Removes directories left by daemons that crashed while preparing them. */
export async function removeAbandoned(state: string): Promise<void> {
  const preparing = join(state, 'preparing');
  if (!(await isPathPresent(preparing))) return;
  for (const name of await readdir(preparing)) {
    const path = join(preparing, name);
    const modifiedAt = await readModifiedAt(path);
    if (modifiedAt !== undefined && Date.now() - modifiedAt > ABANDONED_MS)
      await rm(path, { recursive: true, force: true });
  }
}

/** The directory may be gone, because another daemon may just have moved it into place. */
async function readModifiedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (getErrno(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function resolveMessagesFolder(state: string, worker: WorkerId, attempt: number): string {
  return join(resolveAttemptFolder(state, worker, attempt), 'letters');
}

/** A plain file name of characters that every file system treats alike. */
const MESSAGE_FILE_NAME = /^[0-9A-Za-z][0-9A-Za-z.-]{0,99}$/;

/** Writes a worker message for a running attempt. The file appears complete or not at all. */
export async function deliverMessage(
  state: string,
  worker: WorkerId,
  attempt: number,
  name: string,
  text: string,
): Promise<void> {
  if (!MESSAGE_FILE_NAME.test(name))
    throw new LegionError('input.invalid', `${quoteText(name)} is not a valid message name`);
  if (!(await isPathPresent(resolveAttemptFolder(state, worker, attempt))))
    throw new LegionError('host.no_attempt', `attempt ${attempt} of ${worker} was not started`);
  const folder = resolveMessagesFolder(state, worker, attempt);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const file = join(folder, name);
  // Skips an existing message: it may have arrived although the sender received no confirmation.
  if (!(await isPathPresent(file))) await writeDurably(file, text);
}

const startSchema = z.object({
  worker: z.string(),
  attempt: z.int().positive(),
  marker: z.string(),
  /** Boot during which the attempt was prepared. Absent in attempts from earlier versions. */
  bootId: z.string().optional(),
});

const processSchema = z.object({
  pid: z.int().min(2),
  /** Clock ticks from boot to the start of the process. */
  ticks: z.string().regex(/^\d+$/),
  bootId: z.string(),
  marker: z.string(),
  program: z.string(),
  cwd: z.string(),
});

const exitSchema = z.object({ status: z.int().min(0).max(255) });

export type ProcessRecord = z.infer<typeof processSchema>;

/**
 * Formats facts that the runner does not know itself. The runner inserts them as members of the
 * JSON object that it writes.
 */
export function formatProcessFacts(facts: Omit<ProcessRecord, 'pid' | 'ticks'>): string {
  return JSON.stringify(facts).slice(1, -1);
}

/** Each of these readers returns undefined if its record does not exist yet or is incomplete. */
export const readStart = (folder: string) => readRecord(folder, 'start.json', startSchema);
export const readProcess = (folder: string) => readRecord(folder, 'process.json', processSchema);
export const readExitStatus = async (folder: string) =>
  (await readRecord(folder, 'exit.json', exitSchema))?.status;

/**
 * The runner that claimed the attempt. `unreadable` if the claim is being written, or if the write
 * was interrupted.
 */
export type RunnerClaim = { readonly pid: number; readonly ticks: string } | 'unreadable';

export async function readClaim(folder: string): Promise<RunnerClaim | undefined> {
  const text = await readIfPresent(join(folder, 'claim'));
  if (text === undefined) return undefined;
  const [, pid, ticks] = /^(\d+) (\d+)\n$/.exec(text) ?? [];
  return pid === undefined || ticks === undefined ? 'unreadable' : { pid: Number(pid), ticks };
}

async function readRecord<T>(
  folder: string,
  name: AttemptFile,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const path = join(folder, name);
  const text = await readIfPresent(path);
  if (text === undefined) return undefined;
  const value = parseRecord(text, path);
  if (value === undefined) return undefined;
  const decoded = decode(schema, value, path);
  if (!decoded.ok) throw new LegionError('host.unavailable', decoded.fault.message);
  return decoded.value;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // Either error proves that the file does not exist. ENOTDIR means that a file is in place of
    // the directory.
    if (['ENOENT', 'ENOTDIR'].includes(getErrno(error))) return undefined;
    throw error;
  }
}

/** Returns undefined while the reserved blanks are being overwritten. */
function parseRecord(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.endsWith(' ')) return undefined;
    throw new LegionError('host.unavailable', `${path}: cannot be parsed`, { cause: error });
  }
}
