/** The git repository around a folder, and what it already says about itself. */
import { basename } from 'node:path';
import { type FaultCode, LegionError } from '../../../core/model/fault.ts';
import { gitRunner } from '../../../git/runner.ts';
import type { CommandContext } from '../../command.ts';
import { baseBranch } from '../../repository-at.ts';
import { type ProposedCommands, proposeCommands } from '../setup/init/repository.ts';

/** What git's refusal to name the top folder is called: no repository at all, or one without files. */
const NO_REPOSITORY: ReadonlySet<FaultCode> = new Set(['workspace.not_a_repository', 'git.failed']);

export interface FoundRepository {
  readonly path: string;
  readonly base: string;
  /** A name for its legion. */
  readonly name: string;
  readonly commands: ProposedCommands;
}

export async function findRepository(
  { cwd, env }: CommandContext,
  base: string | undefined,
): Promise<FoundRepository> {
  const git = gitRunner({ environment: env });
  const path = await topFolder(() => git.run(cwd, ['rev-parse', '--show-toplevel']), cwd);
  return {
    path,
    base: await baseBranch(git, path, base),
    name: nameFrom(path),
    commands: proposeCommands(path),
  };
}

async function topFolder(ask: () => Promise<string>, cwd: string): Promise<string> {
  try {
    return (await ask()).trimEnd();
  } catch (error) {
    if (!(error instanceof LegionError) || !NO_REPOSITORY.has(error.code)) throw error;
    const says = `${cwd} is not inside a git repository with files in it; \`git init\` makes one`;
    throw new LegionError('repository.missing', says, { cause: error });
  }
}

/** As an id may be: ids of issues begin with it. */
function nameFrom(path: string): string {
  const name = basename(path)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 60);
  return name === '' || name.endsWith('.lock') ? 'local' : name;
}
