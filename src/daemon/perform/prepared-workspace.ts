/** The workspace of an issue with the repository's own setup done in it: once, and again where that failed or was cut short. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { folderName, type IssueId } from '../../core/model/ids.ts';
import type { BaseStanding, Workspace } from '../../workspaces/workspace.ts';
import type { Repository } from '../repository.ts';
import type { World } from '../world.ts';

/** In the state folder: a mark for each issue whose setup has begun and not succeeded. */
const UNFINISHED = 'setup';

export interface PreparedWorkspace {
  readonly workspace: Workspace;
  /** Undefined where it could not be told. */
  readonly standing: BaseStanding | undefined;
}

export async function preparedWorkspace(
  world: World,
  issue: IssueId,
  signal: AbortSignal,
): Promise<PreparedWorkspace> {
  const { workspaces, repositories, folders } = world;
  const repository = repositories.settle(issue);
  const mark = join(folders.state, UNFINISHED, folderName(issue));
  // A new workspace begins at the newest base, and an existing one can be moved onto it.
  await repository.renew(signal);
  const [found, { approved, commands }] = await Promise.all([workspaces.find(issue), repository.commands()]);
  const isSetUp = found !== undefined && !existsSync(mark);
  const { setup } = commands;
  const hasSetup = approved && setup !== undefined;
  // Before the workspace is made or moved: killed in between, the next start must not take it for one that is prepared.
  if (hasSetup) {
    mkdirSync(dirname(mark), { recursive: true });
    writeFileSync(mark, '');
  }
  // Made sure of although it is there: a worker that was killed may have left locks of git in it.
  const workspace = await workspaces.ensure(issue, repository.path);
  const standing = await workspaces.bringToBase(issue);
  // Another base may need other dependencies, as a new workspace would.
  if (hasSetup && (!isSetUp || standing?.moved === true)) await setUp(repository, workspace, signal);
  rmSync(mark, { force: true });
  return { workspace, standing };
}

async function setUp(repository: Repository, { issue, path }: Workspace, signal: AbortSignal): Promise<void> {
  const { verdict, why, tail } = await repository.run('setup', path, issue, signal);
  signal.throwIfAborted();
  if (verdict !== 'passed')
    throw new LegionError('host.command_failed', `the repository’s setup ${why}: ${tail}`);
}
