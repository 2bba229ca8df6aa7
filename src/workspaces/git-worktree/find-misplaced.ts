/** Finds workspaces of a legion outside the folder where it makes them now: they keep the branches of their issues. */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { IssueId } from '../../core/model/ids.ts';
import { unlessAbsent } from './faults.ts';
import { readMarker } from './marker.ts';

export interface MisplacedWorkspace {
  readonly issue: IssueId;
  readonly path: string;
}

/** `common`: the folder that all worktrees of the repository share. `root`: where workspaces are made now. */
export async function findMisplaced(
  common: string,
  legion: string,
  root: string,
): Promise<readonly MisplacedWorkspace[]> {
  const entries = (await unlessAbsent(readdir(join(common, 'worktrees')))) ?? [];
  const present = (await unlessAbsent(realpath(root))) ?? root;
  const found = await Promise.all(
    entries.map(async (name): Promise<readonly MisplacedWorkspace[]> => {
      const entry = join(common, 'worktrees', name);
      const marker = await readMarker(entry);
      const link = await unlessAbsent(readFile(join(entry, 'gitdir'), 'utf8'));
      if (marker?.legion !== legion || link === undefined) return [];
      const path = dirname(resolve(entry, link.trim()));
      // What is being made or removed lies deeper below the root.
      return path.startsWith(`${present}/`) ? [] : [{ issue: marker.issue, path }];
    }),
  );
  return found.flat();
}
