/**
 * Applies the daemon's own rules to find known problems that would keep every worker from starting.
 */
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
import { buildLfsNotice, findLfsFiles, type LfsNotice } from '../../../../git/lfs.ts';
import { createGitRunner } from '../../../../git/runner.ts';
import { renderHeading, renderParagraph } from '../../../present/page.ts';
import { sanitizeText } from '../../../present/terminal.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import type { FoundRepository } from './repository.ts';

export interface InitFitness {
  readonly problems: readonly Pick<Fault, 'code' | 'message' | 'next'>[];
  readonly notices: readonly LfsNotice[];
}

/**
 * Checks the repository's files as they are now. Does not report a missing approval, because the
 * person approves the commands after the first start.
 */
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
  // Only workflow files are visible here. The daemon checks later whether GitHub runs other checks.
  const hasWorkflows = existsSync(join(path, '.github', 'workflows'));
  const forgeChecks = forge === 'local' ? 'none' : hasWorkflows ? 'some' : 'unknown';
  const facts = { repo: name, base, forge, commands, approved: true, forgeChecks } as const;
  const git = createGitRunner({ environment: env });
  const files = await findLfsFiles(git, path, base);
  return {
    problems: [
      ...(config.ok ? [] : [config.fault]),
      ...findPreflightProblems({ agents: [], board: NO_BOARD_PROBLEM, repositories: [facts] }),
    ],
    notices: files.length === 0 ? [] : [await buildLfsNotice(git, path, files)],
  };
}

/**
 * Checks the board and the files of a legion with a GitHub or Linear board. Skips the files if
 * `base` is absent, because this directory is then not a checkout.
 */
export async function findBoardFitness(
  { repository, forge, missingColumns }: BoardFitnessOptions,
  context: CommandContext,
): Promise<InitFitness> {
  const board = { missingColumns, missingPermissions: [] };
  const problems = findPreflightProblems({ agents: [], board, repositories: [] });
  const { path, base, name } = repository;
  if (base === undefined) return { problems, notices: [] };
  const codeFitness = await findFitness({ path, base, name }, context, forge);
  return { problems: [...problems, ...codeFitness.problems], notices: codeFitness.notices };
}

interface BoardFitnessOptions {
  readonly repository: Pick<FoundRepository, 'path' | 'name'> & Partial<Pick<FoundRepository, 'base'>>;
  readonly forge: RepositoryFacts['forge'];
  readonly missingColumns: readonly Status[];
}

export function renderFitness({ problems, notices }: InitFitness): string {
  const lines = [...problems, ...notices].flatMap(({ message, next }) => [message, `  ${next}`]);
  if (lines.length === 0) return '';
  const title = problems.length === 0 ? 'Notes' : 'Fix this before workers can start';
  return ['\n', renderHeading(title), ...lines.map((line) => renderParagraph(sanitizeText(line)))].join('');
}
