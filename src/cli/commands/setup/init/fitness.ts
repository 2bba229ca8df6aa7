/** What `legion init` already knows that would keep every worker from starting, by the rule the daemon goes by. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadRepositoryConfig } from '../../../../config/repository/load.ts';
import type { Fault } from '../../../../core/model/fault.ts';
import type { Status } from '../../../../core/model/status.ts';
import {
  findPreflightProblems,
  NO_BOARD_PROBLEM,
  type RepositoryFacts,
} from '../../../../core/state/preflight.ts';
import { findLfsFiles, type LfsNotice, lfsNotice } from '../../../../git/lfs.ts';
import { gitRunner } from '../../../../git/runner.ts';
import type { CommandContext } from '../../../command.ts';
import { heading, paragraph } from '../../../present/page.ts';
import { safeText } from '../../../present/safe.ts';
import type { FoundRepository } from '../../init/repository.ts';

export interface InitFitness {
  readonly problems: readonly Pick<Fault, 'code' | 'message' | 'next'>[];
  readonly notices: readonly LfsNotice[];
}

/** By the files as they lie there now. The approval comes with the first start, so it is no problem yet. */
export async function findFitness(
  { path, base, name }: Pick<FoundRepository, 'path' | 'base' | 'name'>,
  { env }: CommandContext,
  forge: RepositoryFacts['forge'] = 'local',
): Promise<InitFitness> {
  const config = loadRepositoryConfig(path);
  const commands = config.ok
    ? Object.entries(config.value.commands).flatMap(([command, argv]) =>
        argv === undefined ? [] : [command],
      )
    : [];
  // Whether GitHub checks it in another way is for the daemon to ask about.
  const hasWorkflows = existsSync(join(path, '.github', 'workflows'));
  const forgeChecks = forge === 'local' ? 'none' : hasWorkflows ? 'some' : 'unknown';
  const facts = { repo: name, base, forge, commands, approved: true, forgeChecks } as const;
  const git = gitRunner({ environment: env });
  const files = await findLfsFiles(git, path, base);
  return {
    problems: [
      ...(config.ok ? [] : [config.fault]),
      ...findPreflightProblems({ agents: [], board: NO_BOARD_PROBLEM, repositories: [facts] }),
    ],
    notices: files.length === 0 ? [] : [await lfsNotice(git, path, files)],
  };
}

/** The same for a legion whose board is elsewhere; `base` is absent where this folder has no checkout of its code. */
export async function findBoardFitness(
  { repository, forge, missingColumns }: BoardFitnessOptions,
  context: CommandContext,
): Promise<InitFitness> {
  const board = { missingColumns, missingPermissions: [] };
  const problems = findPreflightProblems({ agents: [], board, repositories: [] });
  const { path, base, name } = repository;
  if (base === undefined) return { problems, notices: [] };
  const ofCode = await findFitness({ path, base, name }, context, forge);
  return { problems: [...problems, ...ofCode.problems], notices: ofCode.notices };
}

interface BoardFitnessOptions {
  readonly repository: Pick<FoundRepository, 'path' | 'name'> & Partial<Pick<FoundRepository, 'base'>>;
  readonly forge: RepositoryFacts['forge'];
  readonly missingColumns: readonly Status[];
}

export function fitnessPage({ problems, notices }: InitFitness): string {
  const lines = [...problems, ...notices].flatMap(({ message, next }) => [message, `  ${next}`]);
  if (lines.length === 0) return '';
  const title = problems.length === 0 ? 'To know' : 'No worker starts before this is solved';
  return ['\n', heading(title), ...lines.map((line) => paragraph(safeText(line)))].join('');
}
