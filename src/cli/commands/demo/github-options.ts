/** The GitHub a demo is to be played on, from its options: all of them or none. */
import { PROJECT } from '../../../config/legion/board.ts';
import type { DemoGithub } from '../../../demo/on-github.ts';
import { LegionError } from '../../../domain/fault.ts';
import type { CommandContext } from '../../command.ts';
import { addressGiven, allOrNone, fitting, variableGiven } from './given.ts';

export const GITHUB_OPTIONS = {
  'github-url': {
    value: 'URL',
    says: 'play it on this GitHub, such as the one of `npm run github -- --demo`; needs the next three',
  },
  project: { value: 'OWNER/NUMBER', says: 'the project there that is the board; not beside --linear-url' },
  repo: { value: 'OWNER/NAME', says: 'the repository there, with the sample project on its branch main' },
  'token-variable': {
    value: 'NAME',
    says: 'the environment variable with your token; NAME_IMPL and NAME_REVIEW may hold those of the roles',
  },
} as const;

type GithubOptions = { readonly [Name in keyof typeof GITHUB_OPTIONS]?: string | undefined };

const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** Without its board, which may be in Linear. */
const OF_CODE = ['github-url', 'repo', 'token-variable'] as const;

export function githubGiven(
  options: GithubOptions,
  context: CommandContext,
  isBoardElsewhere: boolean,
): DemoGithub | undefined {
  if (isBoardElsewhere && options.project !== undefined)
    throw new LegionError('usage.invalid', 'with --linear-url the board is in Linear: leave --project out');
  const names = isBoardElsewhere ? OF_CODE : (['github-url', 'project', ...OF_CODE.slice(1)] as const);
  if (!allOrNone(options, names, 'a demo on GitHub')) return undefined;
  const url = addressGiven(options, 'github-url', 'https://github.example.com');
  const project = isBoardElsewhere ? undefined : fitting(options, 'project', PROJECT, 'OWNER/NUMBER');
  const repo = fitting(options, 'repo', REPOSITORY, 'OWNER/NAME');
  const tokenVariable = variableGiven(options, 'token-variable', context);
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
