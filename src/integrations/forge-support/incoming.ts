/** Whether a workspace can be pushed from: it stands on the branch that is meant. */
import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { isRefusal } from '../../git/errors.ts';
import { branchRef, type Repository } from './repository.ts';

/** Whether the workspace is a work tree of the repository; one that stands elsewhere is refused. */
export async function standsOn(repository: Repository, branch: string, workspace: string): Promise<boolean> {
  if (await isWorkTreeOn(repository, branch, workspace)) return true;
  const args = ['rev-parse', '--symbolic-full-name', 'HEAD', '--path-format=absolute', '--git-common-dir'];
  try {
    const { out } = await repository.runIn(workspace, args);
    const [ref = '', ...folder] = out.replace(/\n$/, '').split('\n');
    if (ref !== branchRef(branch)) throw unusable(workspace, `stands on ${ref}, not on ${branch}`);
    return (await realpath(folder.join('\n'))) === repository.gitDir;
  } catch (error) {
    if (error instanceof LegionError && !isRefusal(error)) throw error;
    throw unusable(workspace, error instanceof Error ? error.message : String(error), error);
  }
}

/** True where files alone say so, as they do of every workspace of our own; git decides about all others. */
async function isWorkTreeOn(
  { gitDir }: Pick<Repository, 'gitDir'>,
  branch: string,
  workspace: string,
): Promise<boolean> {
  try {
    const link = await readFile(join(workspace, '.git'), 'utf8');
    const entry = resolve(workspace, /^gitdir: ([^\n]+)\n?$/.exec(link)?.[1] ?? '');
    const [head, common] = await Promise.all(
      ['HEAD', 'commondir'].map(async (name) => (await readFile(join(entry, name), 'utf8')).trim()),
    );
    if (head !== `ref: ${branchRef(branch)}` || common === undefined) return false;
    return (await realpath(resolve(entry, common))) === gitDir;
  } catch {
    return false;
  }
}

function unusable(workspace: string, why: string, cause?: unknown): LegionError {
  return new LegionError('forge.workspace_unusable', `${workspace}: ${why}`, { cause });
}
