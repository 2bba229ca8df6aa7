/**
 * Provides an issue's workspace and runs the repository's setup in it: once, and again if it failed
 * or was interrupted.
 */

import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { type IssueId, toFolderName } from '../../core/model/ids.ts';
import type { BaseComparison, Workspace } from '../../ports/workspace.ts';
import { SCRATCH_FOLDER } from '../../ports/workspace.ts';
import type { PortContext, WorkerContext } from '../context/daemon-context.ts';
import type { Repository } from '../context/repository.ts';

/**
 * Directory in the state directory with a marker file for each issue whose setup has begun but not
 * succeeded.
 */
const SETUP_MARKS_FOLDER = 'setup';

export interface PreparedWorkspace {
  readonly workspace: Workspace;
  /** How the branch relates to its base. Undefined if it could not be determined. */
  readonly baseComparison: BaseComparison | undefined;
}

export async function prepareWorkspace(
  context: PortContext & WorkerContext,
  issue: IssueId,
  signal: AbortSignal,
): Promise<PreparedWorkspace> {
  const { workspaces, repositories, folders } = context;
  const repository = repositories.assign(issue);
  const mark = join(folders.state, SETUP_MARKS_FOLDER, toFolderName(issue));
  // Fetches first, because a new workspace starts at the newest base, and an existing workspace may
  // be moved onto it.
  await repository.fetchLatest(signal);
  const [found, { approved, commands }] = await Promise.all([workspaces.find(issue), repository.commands()]);
  const isSetUp = found !== undefined && !existsSync(mark);
  const { setup } = commands;
  const hasSetup = approved && setup !== undefined;
  // The marker file is written before the workspace is created or moved: if the daemon is killed in
  // between, the next start must not treat the workspace as prepared.
  if (hasSetup) {
    mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, '');
  }
  // Called for an existing workspace too, because a killed worker may have left git locks in it.
  const workspace = await workspaces.ensure(issue, repository.path);
  const baseComparison = await workspaces.bringToBase(issue);
  // Setup runs in a new workspace. It runs again after the workspace has been moved to another
  // base, which may need other dependencies.
  if (hasSetup && (!isSetUp || baseComparison?.moved === true)) await runSetup(repository, workspace, signal);
  rmSync(mark, { force: true });
  return { workspace, baseComparison };
}

async function runSetup(
  repository: Repository,
  { issue, path }: Workspace,
  signal: AbortSignal,
): Promise<void> {
  const { verdict, why, tail } = await repository.run('setup', path, issue, signal);
  signal.throwIfAborted();
  if (verdict !== 'passed')
    throw new LegionError('host.command_failed', `The repository’s setup ${why}: ${tail}`);
}

/**
 * Creates a directory in the workspace for temporary files. It contains its own ignore file, so
 * nothing in it is ever committed, and no tracked file or user git setting has to change.
 */
export function makeScratchFolder(workspace: string): void {
  const folder = join(workspace, SCRATCH_FOLDER);
  try {
    mkdirSync(folder, { recursive: true });
    // A symlink in the repository must not redirect the write.
    if (lstatSync(folder).isDirectory()) writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // The ignore file already exists, or the directory cannot be created. A worker can do without
    // the directory.
  }
}
