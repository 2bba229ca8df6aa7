/**
 * Determines what is at the path of a workspace (nothing, our workspace, or something foreign), and
 * reads its marker and the state of its work.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { lstat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { issueIdSchema, toFolderName } from '../../core/model/ids.ts';
import { toPrintableLine } from '../../git/errors.ts';
import type { GitRunner } from '../../git/runner.ts';
import { parseJson } from '../../lib/json.ts';
import type { Workspace, WorkspaceStatus } from '../../ports/workspace.ts';
import { readIfPresentSync } from './faults.ts';
import { readWorktreeEntry, readWorktreePath, refuseOutside, resolveCommonFolder } from './paths.ts';

export type WorktreeInspection =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'ours'; readonly ours: OwnWorktree }
  | { readonly kind: 'foreign'; readonly why: string };

export interface OwnWorktree {
  readonly workspace: Workspace;
  readonly entry: string;
  readonly common: string;
  /**
   * False if the creating process was killed after moving the workspace into place, but before
   * linking the repository's entry to it.
   */
  readonly linked: boolean;
}

/** Throws if the path cannot be read or a symbolic link leads elsewhere. */
export function inspectWorktree(root: string, folder: string, legion: string): WorktreeInspection {
  const path = join(root, folder);
  const inspection = inspectPath(path, folder, legion);
  // A workspace that is removed during the inspection lacks some of its parts but is not foreign.
  const isGone = inspection.kind === 'foreign' && readIfPresentSync(() => lstatSync(path)) === undefined;
  return isGone ? { kind: 'nothing' } : inspection;
}

function inspectPath(path: string, folder: string, legion: string): WorktreeInspection {
  const stats = readIfPresentSync(() => lstatSync(path));
  if (stats === undefined) return { kind: 'nothing' };
  if (stats.isSymbolicLink()) throw new LegionError('workspace.outside', `${path} is a symbolic link`);
  if (!stats.isDirectory()) return toForeign(`${path} is not a directory`);
  readIfPresentSync(() => refuseOutside(path));

  const entry = readWorktreeEntry(path);
  if (entry === undefined) return toForeign(`${path} is not a git worktree`);
  const marker = readMarker(entry);
  if (marker === undefined) return toForeign(`${path} has no Legion marker in ${entry}`);
  const { legion: owner, issue } = marker;
  if (owner !== legion) return toForeign(`${path} belongs to legion ${JSON.stringify(owner)}`);
  if (toFolderName(issue) !== folder) return toForeign(`${path} has the marker of another issue, ${issue}`);
  const linkedPath = readWorktreePath(entry);
  // A copied workspace refers to the entry of the original, but that entry does not refer to the
  // copy.
  if (linkedPath !== path && linkedPath !== undefined && readWorktreeEntry(linkedPath) === entry) {
    return toForeign(`${path} is a copy of ${linkedPath}`);
  }
  const workspace: Workspace = { issue, path, branch: issue };
  return {
    kind: 'ours',
    ours: { workspace, entry, common: resolveCommonFolder(entry), linked: linkedPath === path },
  };
}

function toForeign(why: string): WorktreeInspection {
  return { kind: 'foreign', why };
}

const MARKER_FILE = 'legion.json';

const markerSchema = z.object({ legion: z.string(), issue: issueIdSchema });

export type WorktreeMarker = z.infer<typeof markerSchema>;

/**
 * Writes the marker of a workspace: a file in its private git directory, where it is not part of
 * the content and git does not show it. `entry` is `<repository>/worktrees/<name>`; git removes the
 * marker together with this entry.
 */
export async function writeMarker(entry: string, marker: WorktreeMarker): Promise<void> {
  await writeFile(join(entry, MARKER_FILE), `${JSON.stringify(marker)}\n`);
}

/** Returns undefined if there is definitely no Legion marker. */
export function readMarker(entry: string): WorktreeMarker | undefined {
  const text = readIfPresentSync(() => readFileSync(join(entry, MARKER_FILE), 'utf8'));
  return text === undefined ? undefined : markerSchema.safeParse(parseJson(text)).data;
}

/**
 * Reads the commit and the files with one process. All options are spelled out, because the
 * repository's settings could differ.
 */
const STATUS_ARGS = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--ignore-submodules=none',
  '--no-renames',
];

const HEAD_RECORD_PREFIX = '# branch.oid ';
/** Number of fields before the path of a changed, unmerged and untracked file. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

/** Reads the state of the work in a workspace: its commit and uncommitted files. */
export async function readWorktreeStatus(git: GitRunner, path: string): Promise<WorkspaceStatus> {
  const records = await readStatusRecords(git, path, 'normal');
  const head =
    records.find((record) => record.startsWith(HEAD_RECORD_PREFIX))?.slice(HEAD_RECORD_PREFIX.length) ?? '';
  return { head, uncommitted: extractPaths(records).map((file) => toPrintableLine(file)) };
}

/**
 * Lists changed and untracked files below `path`. If `all` is true, includes the files in entirely
 * untracked directories.
 */
async function listUncommittedFiles(
  git: GitRunner,
  path: string,
  untracked: UntrackedMode,
): Promise<string[]> {
  return extractPaths(await readStatusRecords(git, path, untracked));
}

type UntrackedMode = 'normal' | 'all';

async function readStatusRecords(git: GitRunner, path: string, untracked: UntrackedMode): Promise<string[]> {
  return (await git.run(path, [...STATUS_ARGS, `--untracked-files=${untracked}`])).split('\0');
}

function extractPaths(records: readonly string[]): string[] {
  return records.flatMap((record) => {
    const fields = FIELDS_BEFORE_PATH[record.charAt(0)];
    return fields === undefined || record.startsWith('#') ? [] : [record.split(' ').slice(fields).join(' ')];
  });
}

const COMMIT_TIME_ARGS = ['log', '-1', '--format=%ct', 'HEAD'];
const SECOND_MS = 1_000;

/**
 * Maximum number of files checked. A larger number of changed files proves activity without the
 * cost of checking them.
 */
export const MAX_CHECKED_FILES = 5_000;

/**
 * Determines the time at which the work in a workspace last changed, from its newest commit and all
 * uncommitted files.
 */
export async function readChangedAt(git: GitRunner, path: string): Promise<number> {
  const seconds = Number(await git.run(path, COMMIT_TIME_ARGS));
  const files = await listUncommittedFiles(git, path, 'all');
  if (files.length > MAX_CHECKED_FILES) return Date.now();
  const times = await Promise.all(files.map((file) => readTouchedAt(path, join(path, file))));
  // Commit times are truncated to the second, so round up in the worker's favour.
  return Math.max((Number.isFinite(seconds) ? seconds + 1 : 0) * SECOND_MS, ...times);
}

/**
 * Uses the kernel's change time, which cannot be set. For a deleted file, uses the nearest
 * remaining directory.
 */
export async function readTouchedAt(root: string, file: string): Promise<number> {
  try {
    return (await lstat(file)).ctimeMs;
  } catch {
    return file === root ? 0 : readTouchedAt(root, dirname(file));
  }
}
