/** The GitHub a demo is to be played on, from its options: all of them or none. */
import { PROJECT } from '../../../config/legion/board.ts';
import { readReference } from '../../../config/reference.ts';
import type { DemoGithub } from '../../../demo/on-github.ts';
import { LegionError } from '../../../domain/fault.ts';
import { shown } from '../../../domain/shown.ts';
import type { CommandContext } from '../../command.ts';

export const GITHUB_OPTIONS = {
  'github-url': {
    value: 'URL',
    says: 'play it on this GitHub, such as the one of `npm run github -- --demo`; needs the next three',
  },
  project: { value: 'OWNER/NUMBER', says: 'the project there that is the board' },
  repo: { value: 'OWNER/NAME', says: 'the repository there, with the sample project on its branch main' },
  'token-variable': {
    value: 'NAME',
    says: 'the environment variable with your token; NAME_IMPL and NAME_REVIEW may hold those of the roles',
  },
} as const;

type GithubOptions = { readonly [Name in keyof typeof GITHUB_OPTIONS]?: string | undefined };

const URL_FORM = /^https?:\/\/[^\s/@?#]+$/;
const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function githubGiven(options: GithubOptions, { env }: CommandContext): DemoGithub | undefined {
  const given = Object.keys(GITHUB_OPTIONS) as (keyof typeof GITHUB_OPTIONS)[];
  const missing = given.filter((name) => options[name] === undefined);
  if (missing.length === given.length) return undefined;
  if (missing.length > 0)
    throw new LegionError(
      'usage.invalid',
      `a demo on GitHub also needs ${missing.map((name) => `--${name}`).join(', ')}`,
    );
  const url = fitting(options, 'github-url', URL_FORM, 'an address such as https://github.example.com');
  const project = fitting(options, 'project', PROJECT, 'OWNER/NUMBER');
  const repo = fitting(options, 'repo', REPOSITORY, 'OWNER/NAME');
  const tokenVariable = fitting(options, 'token-variable', VARIABLE, 'the name of a variable');
  const token = readReference(`env:${tokenVariable}`, env);
  if (!token.ok) throw new LegionError(token.fault.code, token.fault.message);
  const [impl, review] = ['IMPL', 'REVIEW'].map((role) => {
    const name = `${tokenVariable}_${role}`;
    return (env[name] ?? '').trim() === '' ? undefined : name;
  });
  const roleVariables = {
    ...(impl === undefined ? {} : { impl }),
    ...(review === undefined ? {} : { review }),
  };
  const variables = [tokenVariable, ...Object.values(roleVariables)];
  return { url, project, repo, tokenVariable, roleVariables, variables };
}

function fitting(
  options: GithubOptions,
  name: keyof typeof GITHUB_OPTIONS,
  form: RegExp,
  takes: string,
): string {
  const value = options[name] ?? '';
  if (form.test(value)) return value;
  throw new LegionError('usage.invalid', `--${name} takes ${takes}, got ${shown(value)}`);
}
