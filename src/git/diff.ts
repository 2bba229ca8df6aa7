/** What changed between two commits, or between a commit and what a work tree holds: file by file, within limits. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { readBounded } from '../lib/fs/read-bounded.ts';
import { inert } from './changes/inert.ts';
import { type Listed, listed } from './changes/listed.ts';
import { patchesOf } from './changes/patches.ts';
import type { Git, GitCall } from './runner.ts';

/** Files that are named: more are nobody's reading, and a page shows them all at once. */
const FILES_MOST = 300;
/** Lines of one file's patch: a generated file must not push out what people wrote. */
const FILE_LINES_MOST = 3_000;
/** Characters of all patches together: some seconds of a slow connection, and what a page can still show. */
const TEXT_MOST = 2_000_000;

interface FileChange extends Listed {
  readonly patch: string;
  readonly cut: boolean;
}

/** `to` is a commit; absent, the work tree of `folder` with what is in no commit yet. Nothing of the repository is written. */
export async function changesIn(
  git: Git,
  folder: string,
  from: string,
  to: string | undefined,
  signal?: AbortSignal,
): Promise<{ readonly truncated: boolean; readonly files: readonly FileChange[] }> {
  const call = { signal, env: await inert(git, folder, signal) };
  const range = to === undefined ? [from] : [from, to];
  const all = await listed(git, folder, range, call);
  const shown = all.slice(0, FILES_MOST);
  const known = await patched(git, folder, range, shown, call);
  const room = { files: FILES_MOST - known.length, text: TEXT_MOST - textIn(known) };
  const more = to === undefined ? await untracked(git, folder, room, call) : { files: [], isWhole: true };
  const files = [...known, ...more.files].map(shortened);
  const truncated = shown.length < all.length || !more.isWhole || files.some(({ cut }) => cut);
  return { truncated, files };
}

/** What does not fit, or cannot be taken in, is named without its patch. */
async function patched(
  git: Git,
  folder: string,
  range: readonly string[],
  files: readonly Listed[],
  call: Parameters<typeof listed>[3],
): Promise<FileChange[]> {
  const patches = await patchesOf(git, folder, range, files, call).catch((error: unknown) => {
    if (error instanceof LegionError && error.code === 'git.output_too_large') return undefined;
    throw error;
  });
  let room = TEXT_MOST;
  return files.map((file): FileChange => {
    const patch = patches?.get(file);
    const fits = patch !== undefined && patch.length <= room;
    if (fits) room -= patch.length;
    const hasText = file.additions !== null && file.additions + (file.deletions ?? 0) > 0;
    return { ...file, patch: fits ? patch : '', cut: !fits && hasText };
  });
}

/** At a line's end, so that what is shown is a patch still. */
function shortened(file: FileChange): FileChange {
  let end = -1;
  for (let line = 0; line < FILE_LINES_MOST; line += 1) {
    end = file.patch.indexOf('\n', end + 1);
    if (end === -1 || end === file.patch.length - 1) return file;
  }
  return { ...file, patch: file.patch.slice(0, end + 1), cut: true };
}

function textIn(files: readonly FileChange[]): number {
  return files.reduce((sum, { patch }) => sum + patch.length, 0);
}

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

async function untracked(
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
