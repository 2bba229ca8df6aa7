/**
 * Stores messages that can never be imported next to the outbox, each with the reason. Reports them
 * until a person removes them.
 */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';
import { readEntryFile, SET_ASIDE_FOLDER } from './entries.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const REASON_SUFFIX = '.why';
/** Maximum number of examples in the report. The other messages are in the same directories. */
const MAX_LISTED_REASONS = 3;
/** Maximum length of a reason in characters. A reason may quote the message. */
const MAX_REASON_CHARS = 300;

const SET_ASIDE_PROBLEM = 'messages set aside';

export async function setAside(folder: string, name: string, why: string): Promise<void> {
  const aside = join(folder, SET_ASIDE_FOLDER);
  await mkdir(aside, { recursive: true, mode: FOLDER_MODE });
  if (!(await lstat(aside)).isDirectory()) throw new Error(`${aside} is not a directory`);
  // A unique name, so that earlier refused messages are not overwritten.
  const target = join(aside, `${randomUUID()}-${name}`);
  await writeFile(`${target}${REASON_SUFFIX}`, why, { flag: 'wx', mode: FILE_MODE });
  await rename(join(folder, name), target);
}

/** Reports the refused messages. Resolves to the outboxes that contain none. */
export async function reportSetAside(
  problems: DaemonContext['problems'],
  folders: readonly string[],
): Promise<readonly string[]> {
  const reasons: string[] = [];
  const empty: string[] = [];
  for (const folder of folders.toSorted()) {
    const inFolder = await readReasons(join(folder, SET_ASIDE_FOLDER));
    reasons.push(...inFolder);
    if (inFolder.length === 0) empty.push(folder);
  }
  if (reasons.length === 0) {
    problems.resolve(SET_ASIDE_PROBLEM);
    return empty;
  }
  const shown: string[] = [];
  for (const path of reasons.slice(0, MAX_LISTED_REASONS))
    shown.push(`${stripReasonSuffix(path)}: ${readReason(path)}`);
  const more = reasons.length - shown.length;
  const words = more > 0 ? [...shown, `and ${more} more`] : shown;
  problems.report(SET_ASIDE_PROBLEM, new LegionError('speech.message_set_aside', words.join('; ')));
  return empty;
}

async function readReasons(aside: string): Promise<string[]> {
  try {
    const names = (await readdir(aside)).filter((name) => name.endsWith(REASON_SUFFIX));
    return names.sort().map((name) => join(aside, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // An unreadable directory is reported as a problem of its own outbox.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return [];
    throw error;
  }
}

function readReason(path: string): string {
  const file = readEntryFile(path);
  return file.found === 'text' ? file.text.slice(0, MAX_REASON_CHARS) : 'its reason cannot be read';
}

function stripReasonSuffix(path: string): string {
  return path.slice(0, -REASON_SUFFIX.length);
}

/**
 * Permanent faults of a message or its sender. All other faults are the daemon's, even terminal
 * ones: a daemon that is fenced or has a broken board must leave the message to its successor.
 */
const PERMANENT_FAULTS: ReadonlySet<FaultCode> = new Set([
  'input.invalid',
  'id.invalid',
  'tracker.issue_unknown',
  'worker.attempt_over',
  'worker.not_for_mode',
  'worker.not_ready',
  'worker.unknown',
]);

/** Returns whether the refusal of a message is permanent, so a retry is pointless. */
export function isPermanentRefusal(error: unknown): error is LegionError {
  return error instanceof LegionError && PERMANENT_FAULTS.has(error.code);
}
