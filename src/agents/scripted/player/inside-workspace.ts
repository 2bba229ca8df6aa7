/** Finds the real place of a file a step names, and refuses every way out of the workspace. */
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { LegionError } from '../../../domain/fault.ts';
import { shown } from '../../../domain/shown.ts';
import { complaintAboutPath, namesGitFolder } from '../scenario/relative-path.ts';

/** Only the real path decides: a link anywhere on the way may lead out, or to git's own folder. */
export async function placeInside(workspace: string, path: string): Promise<string> {
  const complaint = complaintAboutPath(path);
  if (complaint !== undefined) throw outside(path, complaint);
  const root = await realpath(workspace);
  const real = await realPlace(join(root, path));
  if (real === undefined) throw outside(path, 'goes through a link that leads nowhere');
  const parts = relative(root, real).split(sep);
  if (parts[0] === '..' || real === root) throw outside(path, 'is really outside of the workspace');
  if (namesGitFolder(parts)) throw outside(path, 'is really in git’s own folder');
  return real;
}

/** Of what is there, and of what would be made below that; undefined for a link that leads nowhere. */
async function realPlace(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined) return realpath(path).catch(() => undefined);
  const parent = await realPlace(dirname(path));
  return parent === undefined ? undefined : join(parent, path.slice(dirname(path).length + 1));
}

function outside(path: string, why: string): LegionError {
  return new LegionError('scenario.outside', `${shown(path)} ${why}`);
}
