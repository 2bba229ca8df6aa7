/**
 * Lists the changes between two commits, or between a commit and a work tree, file by file and
 * within limits.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { readBounded } from '../lib/fs/read-bounded.ts';
import { type ChangedFile, listChangedFiles, readPatches } from './patches.ts';
import type { GitCall, GitRunner } from './runner.ts';

/** Maximum number of files: a page shows all of them at once. */
const MAX_FILES = 300;
/**
 * Maximum number of lines in one file's patch, so that a generated file does not displace
 * handwritten files.
 */
const MAX_FILE_LINES = 3_000;
/**
 * Maximum number of characters in all patches together. This much text loads within seconds on a
 * slow connection, and a page can still display it.
 */
const MAX_PATCH_CHARACTERS = 2_000_000;

interface FileChange extends ChangedFile {
  readonly patch: string;
  readonly cut: boolean;
}

/**
 * Compares with the commit `to`. If `to` is absent, compares with the work tree in `folder`,
 * including uncommitted changes. Writes nothing to the repository.
 */
export async function readChanges(
  git: GitRunner,
  folder: string,
  from: string,
  to: string | undefined,
  signal?: AbortSignal,
): Promise<{ readonly truncated: boolean; readonly files: readonly FileChange[] }> {
  const call = { signal, env: await buildInertEnvironment(git, folder, signal) };
  const range = to === undefined ? [from] : [from, to];
  const all = await listChangedFiles(git, folder, range, call);
  const listed = all.slice(0, MAX_FILES);
  const known = await readPatchedFiles(git, folder, range, listed, call);
  const space = { files: MAX_FILES - known.length, text: MAX_PATCH_CHARACTERS - countPatchCharacters(known) };
  const more =
    to === undefined ? await readUntracked(git, folder, space, call) : { files: [], isWhole: true };
  const files = [...known, ...more.files].map(trimPatch);
  const truncated = listed.length < all.length || !more.isWhole || files.some(({ cut }) => cut);
  return { truncated, files };
}

/** Lists files without their patch if the patch does not fit or is too large to read. */
async function readPatchedFiles(
  git: GitRunner,
  folder: string,
  range: readonly string[],
  files: readonly ChangedFile[],
  call: Parameters<typeof listChangedFiles>[3],
): Promise<FileChange[]> {
  const patches = await readPatches(git, folder, range, files, call).catch((error: unknown) => {
    if (error instanceof LegionError && error.code === 'git.output_too_large') return undefined;
    throw error;
  });
  let remaining = MAX_PATCH_CHARACTERS;
  return files.map((file): FileChange => {
    const patch = patches?.get(file);
    const fits = patch !== undefined && patch.length <= remaining;
    if (fits) remaining -= patch.length;
    const hasText = file.additions !== null && file.additions + (file.deletions ?? 0) > 0;
    return { ...file, patch: fits ? patch : '', cut: !fits && hasText };
  });
}

/** Cuts at the end of a line, so that the result is still a patch. */
function trimPatch(file: FileChange): FileChange {
  let end = -1;
  for (let line = 0; line < MAX_FILE_LINES; line += 1) {
    end = file.patch.indexOf('\n', end + 1);
    if (end === -1 || end === file.patch.length - 1) return file;
  }
  return { ...file, patch: file.patch.slice(0, end + 1), cut: true };
}

function countPatchCharacters(files: readonly FileChange[]): number {
  return files.reduce((sum, { patch }) => sum + patch.length, 0);
}

/**
 * Maximum size of all file names, in bytes. If a package directory is not ignored, its file names
 * exceed this limit and are not shown.
 */
const MAX_LISTED_NAMES = 1_000_000;
/** Maximum size of one file, in bytes. A larger file is data rather than source. */
const MAX_FILE_BYTES = 200_000;
/** Searches this many bytes for a NUL, as git does. */
const BINARY_WITHIN = 8_000;

interface RemainingSpace {
  readonly files: number;
  readonly text: number;
}

async function readUntracked(
  git: GitRunner,
  folder: string,
  space: RemainingSpace,
  call: GitCall,
): Promise<{ readonly files: readonly FileChange[]; readonly isWhole: boolean }> {
  const names = await listUntrackedNames(git, folder, call);
  const files: FileChange[] = [];
  let { text } = space;
  for (const name of (names ?? []).slice(0, space.files)) {
    const file = await readAddedFile(folder, name, text);
    if (file === undefined) continue; // deleted in the meantime
    text -= file.patch.length;
    files.push(file);
  }
  return { files, isWhole: names !== undefined && names.length <= space.files };
}

async function listUntrackedNames(
  git: GitRunner,
  folder: string,
  call: GitCall,
): Promise<readonly string[] | undefined> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard', '--full-name'];
  try {
    const { out } = await git.answer(folder, args, { ...call, maxOutputBytes: MAX_LISTED_NAMES });
    // git lists a directory that is a repository of its own with a trailing slash. Such a directory
    // is not searched.
    return out.split('\0').filter((name) => name !== '' && !name.endsWith('/'));
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.output_too_large') return undefined;
    throw error;
  }
}

async function readAddedFile(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<FileChange | undefined> {
  const file = join(folder, path);
  const stats = await lstat(file).catch(() => undefined);
  if (stats === undefined) return undefined;
  const added = { path, change: 'added', deletions: 0 } as const;
  if (!stats.isFile()) return { ...added, additions: null, patch: '', cut: false };
  if (stats.size > Math.min(MAX_FILE_BYTES, maxBytes))
    return { ...added, additions: null, patch: '', cut: true };
  const bytes = readFileContent(file);
  if (bytes === undefined) return { ...added, additions: null, patch: '', cut: true };
  if (bytes.subarray(0, BINARY_WITHIN).includes(0))
    return { ...added, additions: null, patch: '', cut: false };
  const { lines, patch } = buildAddedPatch(bytes.toString());
  return { ...added, additions: lines, patch, cut: false };
}

/**
 * A worker may replace the file at any time, so links are not followed and a read never waits for a
 * pipe.
 */
function readFileContent(file: string): Buffer | undefined {
  try {
    const bytes = readBounded(file, MAX_FILE_BYTES, 'no links');
    return typeof bytes === 'string' ? undefined : bytes;
  } catch {
    return undefined;
  }
}

function buildAddedPatch(text: string): { readonly lines: number; readonly patch: string } {
  if (text === '') return { lines: 0, patch: '' };
  const isEnded = text.endsWith('\n');
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
  const end = isEnded ? '' : '\\ No newline at end of file\n';
  const head = `@@ -0,0 +1${lines.length === 1 ? '' : `,${lines.length}`} @@\n`;
  return { lines: lines.length, patch: `${head}${lines.map((line) => `+${line}\n`).join('')}${end}` };
}

/** In bytes. Larger files are shown as binary, because they are data. */
const MAX_TEXT_FILE_BYTES = 1_000_000;
/** Maximum size of all setting names, in bytes. A repository has only a few settings. */
const MAX_SETTING_NAME_BYTES = 100_000;

const FIXED_SETTINGS: readonly (readonly [string, string])[] = [
  ['core.quotePath', 'false'],
  ['core.bigFileThreshold', String(MAX_TEXT_FILE_BYTES)],
  ['diff.orderFile', '/dev/null'],
  ['diff.suppressBlankEmpty', 'false'],
];

/**
 * Builds an environment with settings that keep git from starting programs and that fix its diff
 * format. Otherwise, comparing a work tree would run the filters that its repository configures,
 * such as Git LFS, and a worker in that tree could add a filter of its own. The settings are
 * environment variables rather than arguments, because a setting's name may contain "=".
 */
async function buildInertEnvironment(
  git: GitRunner,
  folder: string,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { out } = await git.answer(
    folder,
    ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'],
    { answers: [1], signal, maxOutputBytes: MAX_SETTING_NAME_BYTES },
  );
  const filters = out.split('\0').filter((name) => name !== '');
  const settings = [...FIXED_SETTINGS, ...filters.map((name) => [name, toInertValue(name)] as const)];
  const numbered = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...Object.fromEntries(numbered),
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_LITERAL_PATHSPECS: '1', // a file's name may look like a pattern
  };
}

/** Disables `required`, because a required filter that does nothing is an error. */
function toInertValue(name: string): string {
  return name.toLowerCase().endsWith('.required') ? 'false' : '';
}
