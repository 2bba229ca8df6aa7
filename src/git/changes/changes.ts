/** What changed between two commits, or between a commit and what a work tree holds: file by file, within limits. */
import { LegionError } from '../../domain/fault.ts';
import type { Git } from '../runner.ts';
import { inert } from './inert.ts';
import { type Listed, listed } from './listed.ts';
import { patchesOf } from './patches.ts';
import { untracked } from './untracked.ts';

/** Files that are named: more are nobody's reading, and a page shows them all at once. */
const FILES_MOST = 300;
/** Lines of one file's patch: a generated file must not push out what people wrote. */
const FILE_LINES_MOST = 3_000;
/** Characters of all patches together: some seconds of a slow connection, and what a page can still show. */
const TEXT_MOST = 2_000_000;

export interface Changes {
  readonly truncated: boolean;
  readonly files: readonly FileChange[];
}

export interface FileChange {
  readonly path: string;
  readonly from?: string;
  readonly change: Listed['change'];
  readonly additions: number | null;
  readonly deletions: number | null;
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
): Promise<Changes> {
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

type Call = Parameters<typeof listed>[3];

/** What does not fit, or cannot be taken in, is named without its patch. */
async function patched(
  git: Git,
  folder: string,
  range: readonly string[],
  files: readonly Listed[],
  call: Call,
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
