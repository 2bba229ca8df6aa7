/** Files of a work tree that git does not know yet, as if they had been added: read by us, because git would have to write to show them. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import { readBounded } from '../../lib/fs/read-bounded.ts';
import type { Git, GitCall } from '../runner.ts';
import type { FileChange } from './changes.ts';

/** Bytes of names; a folder of packages that nobody ignored has more, and is not shown. */
const NAMES_MOST = 1_000_000;
/** Bytes of one file; a larger one is somebody's data. */
const FILE_MOST = 200_000;
/** Where a NUL is looked for, as git does it. */
const BINARY_WITHIN = 8_000;

interface Room {
  readonly files: number;
  readonly text: number;
}

export async function untracked(
  git: Git,
  folder: string,
  room: Room,
  call: GitCall,
): Promise<{ readonly files: readonly FileChange[]; readonly isWhole: boolean }> {
  const names = await namesOf(git, folder, call);
  const files: FileChange[] = [];
  let { text } = room;
  for (const name of (names ?? []).slice(0, room.files)) {
    const file = await asAdded(folder, name, text);
    if (file === undefined) continue; // gone since
    text -= file.patch.length;
    files.push(file);
  }
  return { files, isWhole: names !== undefined && names.length <= room.files };
}

async function namesOf(git: Git, folder: string, call: GitCall): Promise<readonly string[] | undefined> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard', '--full-name'];
  try {
    const { out } = await git.answer(folder, args, { ...call, mostBytes: NAMES_MOST });
    // A folder that is a repository of its own ends in a slash, and is not looked into.
    return out.split('\0').filter((name) => name !== '' && !name.endsWith('/'));
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.output_too_large') return undefined;
    throw error;
  }
}

async function asAdded(folder: string, path: string, room: number): Promise<FileChange | undefined> {
  const file = join(folder, path);
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  const added = { path, change: 'added', deletions: 0 } as const;
  if (!found.isFile()) return { ...added, additions: null, patch: '', cut: false };
  if (found.size > Math.min(FILE_MOST, room)) return { ...added, additions: null, patch: '', cut: true };
  const bytes = contentOf(file);
  if (bytes === undefined) return { ...added, additions: null, patch: '', cut: true };
  if (bytes.subarray(0, BINARY_WITHIN).includes(0))
    return { ...added, additions: null, patch: '', cut: false };
  const { lines, patch } = patchOf(bytes.toString());
  return { ...added, additions: lines, patch, cut: false };
}

/** Whoever works in the folder may put something else in its place: no link is followed, no pipe waited for. */
function contentOf(file: string): Buffer | undefined {
  try {
    const bytes = readBounded(file, FILE_MOST, 'no links');
    return typeof bytes === 'string' ? undefined : bytes;
  } catch {
    return undefined;
  }
}

function patchOf(text: string): { readonly lines: number; readonly patch: string } {
  if (text === '') return { lines: 0, patch: '' };
  const isEnded = text.endsWith('\n');
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
  const end = isEnded ? '' : '\\ No newline at end of file\n';
  const head = `@@ -0,0 +1${lines.length === 1 ? '' : `,${lines.length}`} @@\n`;
  return { lines: lines.length, patch: `${head}${lines.map((line) => `+${line}\n`).join('')}${end}` };
}
