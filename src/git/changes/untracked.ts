/** Files of a work tree that git does not know yet, as if they had been added: read by us, because git would have to write to show them. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
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
  const bytes = await contentOf(file);
  if (bytes === undefined) return { ...added, additions: null, patch: '', cut: true };
  if (bytes.subarray(0, BINARY_WITHIN).includes(0))
    return { ...added, additions: null, patch: '', cut: false };
  const { lines, patch } = patchOf(bytes.toString());
  return { ...added, additions: lines, patch, cut: false };
}

/** Whoever works in the folder may put something else in its place: no link is followed, no pipe waited for. */
async function contentOf(file: string): Promise<Buffer | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FILE_MOST + 1), 0, FILE_MOST + 1, 0);
    return bytesRead > FILE_MOST ? undefined : buffer.subarray(0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await handle?.close();
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
