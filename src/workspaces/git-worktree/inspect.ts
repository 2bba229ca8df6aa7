/** What lies where a workspace belongs: nothing, a workspace of ours, or something that is none of our business. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { folderName } from '../../core/model/ids.ts';
import type { Workspace } from '../workspace.ts';
import { readUnlessAbsent } from './faults.ts';
import { commonOf, entryOf, worktreeOf } from './links.ts';
import { readMarker } from './marker.ts';
import { refuseOutside } from './place.ts';

export type Found =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'ours'; readonly ours: Ours }
  | { readonly kind: 'foreign'; readonly why: string };

export interface Ours {
  readonly workspace: Workspace;
  readonly entry: string;
  readonly common: string;
  /** Not so between the rename to its place and the link back, if a kill comes there. */
  readonly linked: boolean;
}

/** Throws where it cannot look, and where a symbolic link leads elsewhere. */
export function inspect(root: string, folder: string, legion: string): Found {
  const path = join(root, folder);
  const found = look(path, folder, legion);
  // A workspace that is taken away while we look at it has no parts any more, but is not foreign.
  const taken = found.kind === 'foreign' && readUnlessAbsent(() => lstatSync(path)) === undefined;
  return taken ? { kind: 'nothing' } : found;
}

function look(path: string, folder: string, legion: string): Found {
  const found = readUnlessAbsent(() => lstatSync(path));
  if (found === undefined) return { kind: 'nothing' };
  if (found.isSymbolicLink()) throw new LegionError('workspace.outside', `${path} is a symbolic link`);
  if (!found.isDirectory()) return foreign(`${path} is not a folder`);
  readUnlessAbsent(() => refuseOutside(path));

  const entry = entryOf(path);
  if (entry === undefined) return foreign(`${path} is no git worktree`);
  const marker = readMarker(entry);
  if (marker === undefined) return foreign(`${path} has no marker of Legion in ${entry}`);
  const { legion: owner, issue } = marker;
  if (owner !== legion) return foreign(`${path} belongs to legion ${JSON.stringify(owner)}`);
  if (folderName(issue) !== folder) return foreign(`${path} carries the marker of ${issue}`);
  const back = worktreeOf(entry);
  // A copy of a workspace names the entry of the original, which does not name the copy.
  if (back !== path && back !== undefined && entryOf(back) === entry) {
    return foreign(`${path} is a copy of ${back}`);
  }
  const workspace: Workspace = { issue, path, branch: issue };
  return { kind: 'ours', ours: { workspace, entry, common: commonOf(entry), linked: back === path } };
}

function foreign(why: string): Found {
  return { kind: 'foreign', why };
}
