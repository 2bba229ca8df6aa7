/**
 * Parses the demo options that select a service: GitHub or Linear. Requires either all options of a
 * service or none.
 */

import { PROJECT_PATTERN } from '../../../../config/legion/schema.ts';
import { readReference } from '../../../../config/secret-reference.ts';
import { LegionError, quoteText } from '../../../../core/model/fault.ts';
import type { DemoGithub } from '../../../../demo/options.ts';
import { unwrap } from '../../../../lib/result.ts';
import { type CommandContext, toFlag } from '../../../program/define-command.ts';

export type GithubOptions = {
  readonly githubUrl?: string;
  readonly project?: string;
  readonly repo?: string;
  readonly tokenVariable?: string;
};

const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** Options that are needed for code on GitHub, even if the board is in Linear. */
const CODE_OPTIONS = ['githubUrl', 'repo', 'tokenVariable'] as const;

/** Reads the options for a demo on GitHub: all of them or none. */
export function parseGithubOptions(
  options: GithubOptions,
  context: CommandContext,
  isBoardElsewhere: boolean,
): DemoGithub | undefined {
  if (isBoardElsewhere && options.project !== undefined)
    throw new LegionError(
      'usage.invalid',
      '--project cannot be used with --linear-url, because the board is in Linear.',
    );
  const names = isBoardElsewhere
    ? CODE_OPTIONS
    : (['githubUrl', 'project', 'repo', 'tokenVariable'] as const);
  if (!checkAllOrNone(options, names, 'A demo on GitHub')) return undefined;
  const url = requireAddressOption(options, 'githubUrl', 'https://github.example.com');
  const project = isBoardElsewhere
    ? undefined
    : requireMatchingOption(options, 'project', PROJECT_PATTERN, 'OWNER/NUMBER');
  const repo = requireMatchingOption(options, 'repo', REPOSITORY, 'OWNER/NAME');
  const tokenVariable = requireVariableOption(options, 'tokenVariable', context);
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

export type LinearOptions = {
  readonly linearUrl?: string;
  readonly team?: string;
  readonly keyVariable?: string;
};

export interface ParsedLinearOptions {
  readonly url: string;
  /** Team as the person typed it: a key, a name or a UUID. */
  readonly team: string;
  readonly keyVariable: string;
}

/** Reads the options for a demo in Linear: all of them or none. */
export function parseLinearOptions(
  options: LinearOptions,
  context: CommandContext,
): ParsedLinearOptions | undefined {
  // If no other Linear option is given, --key-variable is not about Linear: it specifies the
  // variable that contains a model's key.
  if (options.linearUrl === undefined && options.team === undefined) return undefined;
  checkAllOrNone(options, ['linearUrl', 'team', 'keyVariable'], 'A demo in Linear');
  const url = requireAddressOption(options, 'linearUrl', 'https://api.linear.app');
  const team = requireMatchingOption(options, 'team', /\S/, 'the key of a team').trim();
  return { url, team, keyVariable: requireVariableOption(options, 'keyVariable', context) };
}

type OptionTexts<Name extends string> = { readonly [Each in Name]?: string | undefined };

/** Returns true if all of these options are given and false if none is. Throws if only some are. */
function checkAllOrNone<Name extends string>(
  options: OptionTexts<Name>,
  names: readonly Name[],
  subject: string,
): boolean {
  const missing = names.filter((name) => options[name] === undefined);
  if (missing.length === names.length) return false;
  if (missing.length === 0) return true;
  const also = missing.map(toFlag).join(', ');
  throw new LegionError('usage.invalid', `${subject} also needs ${also}.`);
}

function requireMatchingOption<Name extends string>(
  options: OptionTexts<Name>,
  name: Name,
  pattern: RegExp,
  expected: string,
): string {
  const value = options[name] ?? '';
  if (pattern.test(value)) return value;
  throw new LegionError('usage.invalid', `${toFlag(name)} takes ${expected}, got ${quoteText(value)}.`);
}

const URL_FORM = /^https?:\/\/[^\s/@?#]+$/;

function requireAddressOption<Name extends string>(
  options: OptionTexts<Name>,
  name: Name,
  example: string,
): string {
  return requireMatchingOption(options, name, URL_FORM, `a URL such as ${example}`);
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns the name of an environment variable that is set. */
function requireVariableOption<Name extends string>(
  options: OptionTexts<Name>,
  name: Name,
  { env }: CommandContext,
): string {
  const variable = requireMatchingOption(options, name, VARIABLE, 'the name of an environment variable');
  unwrap(readReference(`env:${variable}`, env));
  return variable;
}
