/** The folder `legion init` begins a legion in whose board is elsewhere, and whether one has begun there already. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LegionConfig } from '../../../config/legion/schema.ts';
import { legionPaths } from '../../../config/paths.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { repositoryName } from '../../../daemon/compose-clone.ts';
import { unwrap } from '../../../lib/result.ts';
import type { CommandContext } from '../../command.ts';
import { LEGION_FILE } from '../../legion-location.ts';
import type { BoardOptions } from '../setup/init/board-options.ts';
import type { InitOptions } from './answers.ts';
import { type FoundRepository, findRepository } from './repository.ts';

export type InitBoardOptions = InitOptions &
  BoardOptions & {
    readonly force?: boolean | undefined;
    readonly json?: boolean | undefined;
    readonly yes?: boolean | undefined;
  };

export interface Ground {
  /** Without a base where this folder has no checkout of the code. */
  readonly repository: Pick<FoundRepository, 'path' | 'name' | 'commands'> & { readonly base?: string };
  readonly file: string;
  /** The file is there and is left as it is. */
  readonly kept: boolean;
  /** The state folder of a legion. */
  readonly state: (legion: string) => string;
}

export async function findGround(options: InitBoardOptions, context: CommandContext): Promise<Ground> {
  const repository = await folderOf(options, context);
  const file = join(repository.path, LEGION_FILE);
  const kept = existsSync(file) && !options.force;
  // Only what is made on the board is left to do for a legion that has begun.
  if (kept && !options.createMissing) throw new LegionError('init.exists', `${file} is there already`);
  return { repository, file, kept, state: unwrap(legionPaths(context.env)).state };
}

/** Where the code is elsewhere a clone of our own is made of each repository, so this folder need not be one where they are named. */
async function folderOf(options: InitBoardOptions, context: CommandContext): Promise<Ground['repository']> {
  try {
    return await findRepository(context, undefined);
  } catch (error) {
    const isNone = error instanceof LegionError && error.code === 'repository.missing';
    if (!isNone || options.repo.length === 0) throw error;
    return { path: context.cwd, name: basename(context.cwd), commands: {} };
  }
}

/** `owner/name` without the host, which the configuration may name. */
export function plainName(repo: string): string {
  const { owner, name } = repositoryName(repo);
  return `${owner}/${name}`;
}

const WHERE = { local: 'on this machine', github: 'on GitHub', linear: 'in Linear' } as const;

/** For whoever asks for one board in the folder of another. */
export function anotherBoard(file: string, { backend, legion }: LegionConfig): LegionError {
  const is = backend === 'local' ? `has its board ${WHERE.local}` : `is about ${legion} ${WHERE[backend]}`;
  return new LegionError('init.exists', `${file} is there already and ${is}`);
}
