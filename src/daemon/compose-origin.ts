/** Keeps a second repository from taking over the board and the workers of a legion that has the same name by accident. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { gitRunner } from '../git/runner.ts';
import { readJsonFile } from '../lib/fs/read-bounded.ts';
import { STARTED_FROM_FILE, startedFromSchema } from '../protocol/started-from.ts';
import { commonFolder } from '../workspaces/git-worktree/repository.ts';

/**
 * Worktrees of one repository may take turns. A repository that was moved or deleted, with its `legion.yaml`, leaves the name
 * to the next one.
 */
export async function refuseOtherRepository(
  stateFolder: string,
  { legion, file, environment }: { legion: string; file: string; environment: Environment },
): Promise<void> {
  const { data: last } = startedFromSchema.safeParse(readJsonFile(join(stateFolder, STARTED_FROM_FILE)));
  if (last === undefined || last.file === file || !existsSync(last.file)) return;
  const [before, now] = await Promise.all([last.file, file].map((each) => findHome(each, environment)));
  if (before === now) return;
  throw new LegionError(
    'daemon.name_taken',
    `the legion ${legion} belongs to ${last.file}; ${file} has the same name and would take over its issues and workers`,
  );
}

/** The repository that a `legion.yaml` lies in, or its folder if that is not a repository. */
async function findHome(file: string, environment: Environment): Promise<string> {
  const folder = dirname(file);
  return commonFolder(gitRunner({ environment }), folder).catch(() => realpathSync(folder));
}
