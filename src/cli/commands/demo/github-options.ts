/** The GitHub a demo is to be played on, from its options: all of them or none. */
import { PROJECT } from '../../../config/legion/board.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { DemoGithub } from '../../../demo/on-github.ts';
import type { CommandContext } from '../../command.ts';
import { addressGiven, allOrNone, fitting, variableGiven } from './given.ts';

export type GithubOptions = {
  readonly githubUrl?: string;
  readonly project?: string;
  readonly repo?: string;
  readonly tokenVariable?: string;
};

const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** Without its board, which may be in Linear. */
const OF_CODE = ['githubUrl', 'repo', 'tokenVariable'] as const;

export function githubGiven(
  options: GithubOptions,
  context: CommandContext,
  isBoardElsewhere: boolean,
): DemoGithub | undefined {
  if (isBoardElsewhere && options.project !== undefined)
    throw new LegionError('usage.invalid', 'with --linear-url the board is in Linear: leave --project out');
  const names = isBoardElsewhere ? OF_CODE : (['githubUrl', 'project', 'repo', 'tokenVariable'] as const);
  if (!allOrNone(options, names, 'a demo on GitHub')) return undefined;
  const url = addressGiven(options, 'githubUrl', 'https://github.example.com');
  const project = isBoardElsewhere ? undefined : fitting(options, 'project', PROJECT, 'OWNER/NUMBER');
  const repo = fitting(options, 'repo', REPOSITORY, 'OWNER/NAME');
  const tokenVariable = variableGiven(options, 'tokenVariable', context);
  const [impl, review] = ['IMPL', 'REVIEW'].map((role) => {
    const name = `${tokenVariable}_${role}`;
    return (context.env[name] ?? '').trim() === '' ? undefined : name;
  });
  const roleVariables = {
    ...(impl === undefined ? {} : { impl }),
    ...(review === undefined ? {} : { review }),
  };
  return { url, project, repo, tokenVariable, roleVariables };
}
