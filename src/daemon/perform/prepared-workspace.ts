/** The workspace of an issue with the repository's own setup done in it: once, and again where that failed or was cut short. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import { folderName, type IssueId } from '../../domain/ids.ts';
import type { Workspace } from '../../workspaces/workspace.ts';
import type { World } from '../world.ts';

/** In the state folder: a mark for each issue whose setup has begun and not succeeded. */
const UNFINISHED = 'setup';

export async function preparedWorkspace(
  { workspaces, repositories, folders }: World,
  issue: IssueId,
  signal: AbortSignal,
): Promise<Workspace> {
  const repository = repositories.settle(issue);
  const mark = join(folders.state, UNFINISHED, folderName(issue));
  const found = await workspaces.find(issue);
  // Made sure of although it is there: a worker that was killed may have left locks of git in it.
  if (found !== undefined && !existsSync(mark)) return workspaces.ensure(issue, repository.path);
  const { approved, commands } = await repository.commands();
  const { setup } = commands;
  if (!approved || setup === undefined) {
    rmSync(mark, { force: true });
    return workspaces.ensure(issue, repository.path);
  }
  // Before the workspace is there: killed in between, the next start must not take it for one that is prepared.
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, '');
  const made = await workspaces.ensure(issue, repository.path);
  const { verdict, why, tail } = await repository.run('setup', made.path, issue, signal);
  signal.throwIfAborted();
  if (verdict !== 'passed')
    throw new LegionError('host.command_failed', `the repository’s setup ${why}: ${tail}`);
  rmSync(mark, { force: true });
  return made;
}
