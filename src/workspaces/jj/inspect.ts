/** Determines what is at the path of a workspace, and reads and writes its marker. */
import { lstatSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { issueIdSchema, toFolderName } from '../../core/model/ids.ts';
import { parseJson } from '../../lib/json.ts';
import { readIfPresentSync } from '../git-worktree/faults.ts';
import { refuseOutside } from '../git-worktree/paths.ts';
import { JJ_FOLDER } from './store.ts';

/**
 * `creating` is written before jj creates the workspace and `ready` afterwards, so that a workspace
 * left half created by a killed process is recognised.
 */
const markerSchema = z.object({
  legion: z.string(),
  issue: issueIdSchema,
  common: z.string(),
  state: z.enum(['creating', 'ready']),
  /** The commit that a workspace in creation restores. */
  restore: z.string().optional(),
});

export type JjMarker = z.infer<typeof markerSchema>;

export interface JjInspection {
  /** `foreign` if Legion did not create what is at the path. */
  readonly found: 'nothing' | 'workspace' | 'foreign';
  readonly why: string;
  /** Present for a deleted workspace too, whose work is in the operation log. */
  readonly marker: JjMarker | undefined;
}

/** Throws if the path cannot be read or a symbolic link leads elsewhere. */
export function inspectJjWorkspace(root: string, folder: string, legion: string): JjInspection {
  const path = join(root, folder);
  const marker = readMarker(root, folder);
  const stats = readIfPresentSync(() => lstatSync(path));
  if (stats === undefined) return { found: 'nothing', why: '', marker };
  if (stats.isSymbolicLink()) throw new LegionError('workspace.outside', `${path} is a symbolic link`);
  readIfPresentSync(() => refuseOutside(path));
  const why = findForeignReason(path, folder, legion, marker);
  return { found: why === undefined ? 'workspace' : 'foreign', why: why ?? '', marker };
}

function findForeignReason(
  path: string,
  folder: string,
  legion: string,
  marker: JjMarker | undefined,
): string | undefined {
  if (marker === undefined) return `${path} is not a jj workspace of this legion`;
  if (marker.legion !== legion) return `${path} belongs to legion ${JSON.stringify(marker.legion)}`;
  if (toFolderName(marker.issue) !== folder)
    return `${path} has the marker of another issue, ${marker.issue}`;
  return undefined;
}

/**
 * Refuses a workspace whose link leads to a repository other than the store, because a worker could
 * have forged a repository that makes jj run programs.
 */
export function requireStoreLink(path: string, store: string): void {
  const link = join(path, '.jj/repo');
  const isFile = readIfPresentSync(() => lstatSync(link))?.isFile() === true;
  const target = isFile ? readIfPresentSync(() => readFileSync(link, 'utf8')) : undefined;
  if (target !== undefined && resolve(dirname(link), target.trim()) === join(store, '.jj/repo')) return;
  throw new LegionError('workspace.foreign', `${link} does not lead to ${store}`);
}

function resolveMarkerPath(root: string, folder: string): string {
  return join(root, JJ_FOLDER, 'workspaces', `${folder}.json`);
}

function readMarker(root: string, folder: string): JjMarker | undefined {
  const text = readIfPresentSync(() => readFileSync(resolveMarkerPath(root, folder), 'utf8'));
  return text === undefined ? undefined : markerSchema.safeParse(parseJson(text)).data;
}

/** Writes to a temporary name first: half a marker would make the workspace foreign. */
export async function writeMarker(root: string, folder: string, marker: JjMarker): Promise<void> {
  const path = resolveMarkerPath(root, folder);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, `${JSON.stringify(marker)}\n`);
  await rename(`${path}.new`, path);
}

export async function deleteMarker(root: string, folder: string): Promise<void> {
  await rm(resolveMarkerPath(root, folder), { force: true });
}
