/** Whether a workspace can be pushed from: it stands on the branch that is meant. */
import { realpath } from 'node:fs/promises';
import { LegionError } from '../domain/fault.ts';
import { isRefusal } from '../git/words.ts';
import { branchRef, type Repository } from './repository.ts';

/** Whether the workspace is a work tree of the repository; one that stands elsewhere is refused. */
export async function standsOn(repository: Repository, branch: string, workspace: string): Promise<boolean> {
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

function unusable(workspace: string, why: string, cause?: unknown): LegionError {
  return new LegionError('forge.workspace_unusable', `${workspace}: ${why}`, { cause });
}
