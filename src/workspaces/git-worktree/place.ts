/** Where things lie: the workspaces below the root, what is being made or removed, and their entries in a repository. */

import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { folderName, type IssueId, readIssueId } from '../../core/model/ids.ts';
import { unwrap } from '../../lib/result.ts';

/** No issue's folder begins with a dot. */
const STAGING = '.legion-staging';

export interface Place {
  readonly issue: IssueId;
  readonly folder: string;
  readonly path: string;
}

/** `root` is a real path. */
export function placeOf(root: string, issue: string): Place {
  unwrap(readIssueId(issue));
  if (/^head$/i.test(issue))
    throw new LegionError('id.invalid', 'an issue may not be called HEAD: no branch may');
  const folder = folderName(issue);
  return { issue, folder, path: join(root, folder) };
}

/**
 * Git names the entry of a worktree after its folder. This name says whose it is even when a kill left nothing else in it,
 * and keeps two legions, each with a root of its own, apart within one repository.
 */
export function entryName(root: string, folder: string): string {
  return `${entryPrefix(root)}${folder}`;
}

export function entryPrefix(root: string): string {
  return `legion-${shortHash(root)}-`;
}

/** Below the root, so that moving to and from it is one rename; only the holder of the repository's lock uses it. */
export async function stagingFolder(root: string, common: string): Promise<string> {
  const folder = join(root, STAGING, shortHash(common));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  refuseOutside(folder);
  return folder;
}

/** Only the real path decides: a link anywhere on the way leads out. */
export function refuseOutside(path: string): void {
  const real = realpathSync.native(path);
  if (real !== path) throw new LegionError('workspace.outside', `${path} is really ${real}`);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
