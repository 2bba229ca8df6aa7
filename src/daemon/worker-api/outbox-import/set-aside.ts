/** Messages that could never be taken in: kept beside the outbox with the reason, and shown until a person removes them. */
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import { ASIDE } from '../../outbox/find-entries.ts';
import { readEntryFile } from '../../outbox/read-entry-file.ts';
import type { World } from '../../world.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const REASON = '.why';
/** Enough to begin with; the others lie in the same places. */
const SHOWN_MOST = 3;
/** Characters of a reason, which may quote the message. */
const REASON_MOST = 300;

const TROUBLE = 'messages set aside';

export async function setAside(folder: string, name: string, why: string): Promise<void> {
  const aside = join(folder, ASIDE);
  await mkdir(aside, { recursive: true, mode: FOLDER_MODE });
  if (!(await lstat(aside)).isDirectory()) throw new Error(`${aside} is no folder`);
  // A name of its own: what was set aside before must not be overwritten.
  const place = join(aside, `${randomUUID()}-${name}`);
  await writeFile(`${place}${REASON}`, why, { flag: 'wx', mode: FILE_MODE });
  await rename(join(folder, name), place);
}

/** Resolves to the outboxes in which nothing is set aside any more. */
export async function tellOfSetAside(
  troubles: World['troubles'],
  folders: readonly string[],
): Promise<readonly string[]> {
  const reasons: string[] = [];
  const empty: string[] = [];
  for (const folder of folders.toSorted()) {
    const inFolder = await reasonsIn(join(folder, ASIDE));
    reasons.push(...inFolder);
    if (inFolder.length === 0) empty.push(folder);
  }
  if (reasons.length === 0) {
    troubles.clear(TROUBLE);
    return empty;
  }
  const shown: string[] = [];
  for (const path of reasons.slice(0, SHOWN_MOST)) shown.push(`${withoutReason(path)}: ${reasonOf(path)}`);
  const more = reasons.length - shown.length;
  const words = more > 0 ? [...shown, `and ${more} more`] : shown;
  troubles.raise(TROUBLE, new LegionError('speech.message_set_aside', words.join('; ')));
  return empty;
}

async function reasonsIn(aside: string): Promise<string[]> {
  try {
    const names = (await readdir(aside)).filter((name) => name.endsWith(REASON));
    return names.sort().map((name) => join(aside, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // One that may not be read is a trouble of its own outbox, and is told as that.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return [];
    throw error;
  }
}

function reasonOf(path: string): string {
  const file = readEntryFile(path);
  return file.found === 'text' ? file.text.slice(0, REASON_MOST) : 'its reason cannot be read';
}

function withoutReason(path: string): string {
  return path.slice(0, -REASON.length);
}
