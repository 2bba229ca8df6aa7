/** What `legion init` already knows that would keep every worker from starting, by the rule the daemon goes by. */
import { loadRepositoryConfig } from '../../../config/repository/load.ts';
import type { Fault } from '../../../domain/fault.ts';
import { findLfsFiles, type LfsNotice, lfsNotice } from '../../../git/lfs.ts';
import { gitRunner } from '../../../git/runner.ts';
import { findPreflightProblems, NO_BOARD_PROBLEM } from '../../../swarm/preflight.ts';
import type { CommandContext } from '../../command.ts';
import { heading, paragraph } from '../../present/page.ts';
import { safeText } from '../../present/safe.ts';
import type { FoundRepository } from './repository.ts';

export interface InitFitness {
  readonly problems: readonly Pick<Fault, 'code' | 'message' | 'next'>[];
  readonly notices: readonly LfsNotice[];
}

/** By the files as they lie there now. The approval comes with the first start, so it is no problem yet. */
export async function findFitness(
  { path, base, name }: Pick<FoundRepository, 'path' | 'base' | 'name'>,
  { env }: CommandContext,
): Promise<InitFitness> {
  const config = loadRepositoryConfig(path);
  const commands = config.ok
    ? Object.entries(config.value.commands).flatMap(([command, argv]) =>
        argv === undefined ? [] : [command],
      )
    : [];
  const facts = { repo: name, base, forge: 'local', commands, approved: true, forgeChecks: 'none' } as const;
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

export function fitnessPage({ problems, notices }: InitFitness): string {
  const lines = [...problems, ...notices].flatMap(({ message, next }) => [message, `  ${next}`]);
  if (lines.length === 0) return '';
  const title = problems.length === 0 ? 'To know' : 'No worker starts before this is solved';
  return ['\n', heading(title), ...lines.map((line) => paragraph(safeText(line)))].join('');
}
