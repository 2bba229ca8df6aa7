/**
 * Computes the paths of workspaces, of the staging directory, and of the workspaces' entries in a
 * repository. Also reads and writes the two links between a workspace and its entry.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { type IssueId, readIssueId, toFolderName } from '../../core/model/ids.ts';
import { unwrap } from '../../lib/result.ts';
import { readIfPresentSync } from './faults.ts';

/** Starts with a dot, because no issue's directory does. */
const STAGING_FOLDER = '.legion-staging';

export interface WorktreeLocation {
  readonly issue: IssueId;
  readonly folder: string;
  readonly path: string;
}

/** `root` is a real path. */
export function resolveWorktreeLocation(root: string, issue: string): WorktreeLocation {
  unwrap(readIssueId(issue));
  if (/^head$/i.test(issue))
    throw new LegionError(
      'id.invalid',
      'an issue cannot be named HEAD, because no branch can have that name',
    );
  const folder = toFolderName(issue);
  return { issue, folder, path: join(root, folder) };
}

/**
 * Git names a worktree's entry after its directory. This name identifies the owner even if a killed
 * process left nothing else in the entry, and distinguishes two legions that use one repository
 * with different roots.
 */
export function formatEntryName(root: string, folder: string): string {
  return `${formatEntryPrefix(root)}${folder}`;
}

export function formatEntryPrefix(root: string): string {
  return `legion-${computeShortHash(root)}-`;
}

/**
 * Returns the staging directory. It is below the root, so that moving a workspace to or from it is
 * one rename. Only the holder of the repository's lock uses it.
 */
export async function ensureStagingFolder(root: string, common: string): Promise<string> {
  const folder = join(root, STAGING_FOLDER, computeShortHash(common));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  refuseOutside(folder);
  return folder;
}

/** Checks the real path, because any link in the path may lead outside. */
export function refuseOutside(path: string): void {
  const real = realpathSync.native(path);
  if (real !== path) throw new LegionError('workspace.outside', `${path} resolves to ${real}`);
}

function computeShortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/**
 * Returns the entry that the `.git` file of the worktree at `path` refers to, or undefined if it is
 * not a worktree.
 */
export function readWorktreeEntry(path: string): string | undefined {
  const file = join(path, '.git');
  if (readIfPresentSync(() => lstatSync(file))?.isFile() !== true) return undefined;
  const text = readIfPresentSync(() => readFileSync(file, 'utf8')) ?? '';
  const [, target] = /^gitdir: ([^\n]+)\n?$/.exec(text) ?? [];
  if (target === undefined) return undefined;
  const entry = resolve(path, target);
  return basename(dirname(entry)) === 'worktrees' ? entry : undefined;
}

/** Returns the repository's common directory. */
export function resolveCommonFolder(entry: string): string {
  return dirname(dirname(entry));
}

/**
 * Returns the worktree that the entry's `gitdir` file refers to, or undefined if the process was
 * killed before it wrote the file.
 */
export function readWorktreePath(entry: string): string | undefined {
  const text = readIfPresentSync(() => readFileSync(join(entry, 'gitdir'), 'utf8'))?.trim() ?? '';
  return text === '' ? undefined : dirname(resolve(entry, text));
}

/** Writes to a temporary name first: a partial line would detach the worktree. */
export async function linkEntry(entry: string, path: string): Promise<void> {
  const unfinished = join(entry, 'gitdir.legion');
  await writeFile(unfinished, `${join(path, '.git')}\n`);
  await rename(unfinished, join(entry, 'gitdir'));
}
