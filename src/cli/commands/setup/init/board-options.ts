/**
 * Declares the `legion init` options for boards on GitHub or Linear, decides which service they
 * refer to, and parses their values.
 */
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { LegionError, quoteText } from '../../../../core/model/fault.ts';
import { type ColumnNames, STATUSES, type Status } from '../../../../core/model/status.ts';
import { collectValues, toFlag } from '../../../program/define-command.ts';

export type BoardOptions = {
  readonly backend?: string | undefined;
  readonly project?: string | undefined;
  readonly rewriteOptions?: boolean | undefined;
  readonly team?: string | undefined;
  readonly forge?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly linearUrl?: string | undefined;
  readonly repo: readonly string[];
  readonly githubUrl?: string | undefined;
  readonly token?: string | undefined;
  readonly status: readonly string[];
  readonly createMissing?: boolean | undefined;
};

type BoardOption = keyof BoardOptions;
const SHARED_OPTIONS: readonly BoardOption[] = ['repo', 'githubUrl', 'token', 'status', 'createMissing'];
const GITHUB_OPTIONS: readonly BoardOption[] = ['project', 'rewriteOptions'];
const LINEAR_OPTIONS: readonly BoardOption[] = ['team', 'forge', 'apiKey', 'accessToken', 'linearUrl'];

export function addBoardOptions<Options extends OptionValues>(
  command: Command<[], Options>,
): Command<[], Options & BoardOptions> {
  const inBoard = createOptionGroup('Board on GitHub or Linear:');
  const inGithub = createOptionGroup('GitHub:');
  const inLinear = createOptionGroup('Linear:');
  const repo = inBoard(
    '--repo <OWNER/NAME>',
    'Repository to work on (default: the remote origin); repeatable',
  );
  const status = inBoard(
    '--status <STATUS=COLUMN>',
    'Column for a status, if the two names differ; repeatable',
  );
  return command
    .addOption(inBoard('-b, --backend <local|github|linear>', 'Where the issues live (default: local)'))
    .addOption(repo.argParser(collectValues).default([]))
    .addOption(status.argParser(collectValues).default([]))
    .addOption(
      inBoard('--create-missing', 'Create missing labels and columns; if legion.yaml exists, do only this'),
    )
    .addOption(inGithub('--project <OWNER/NUMBER>', 'Project with the issues to work on, or its URL'))
    .addOption(inGithub('--github-url <URL>', 'URL of GitHub (default: https://github.com)'))
    .addOption(
      inGithub(
        '--token <env:NAME|file:PATH>',
        'Where to find the token (default: GH_TOKEN, GITHUB_TOKEN or `gh auth token`)',
      ),
    )
    .addOption(
      inGithub(
        '--rewrite-options',
        'Create columns even if the project has items; Legion then moves each item back to its column',
      ),
    )
    .addOption(inLinear('--team <KEY|NAME|UUID>', 'Team with the issues to work on'))
    .addOption(
      inLinear(
        '--forge <local|github>',
        'Where pull requests live (default: github if --repo is given, otherwise local)',
      ),
    )
    .addOption(
      inLinear('--api-key <env:NAME|file:PATH>', 'Where to find the API key (default: env:LINEAR_API_KEY)'),
    )
    .addOption(
      inLinear(
        '--access-token <env:NAME|file:PATH>',
        'Where to find the token of an OAuth app, instead of a key',
      ),
    )
    .addOption(
      inLinear('--linear-url <URL>', 'URL of Linear’s API (default: https://api.linear.app)'),
    ) as unknown as Command<[], Options & BoardOptions>;
}

function createOptionGroup(heading: string) {
  return (flags: string, description: string) => new Option(flags, description).helpGroup(heading);
}

export type BoardBackend = 'local' | 'github' | 'linear';

/**
 * Returns the board service that the options refer to. Returns undefined if no option is about a
 * board, and `either` if the options fit both GitHub and Linear.
 */
export function parseBackend(options: BoardOptions): BoardBackend | 'either' | undefined {
  const findGiven = (names: readonly BoardOption[]) => names.find((option) => isGiven(options[option]));
  const named = {
    github: findGiven(GITHUB_OPTIONS),
    linear: findGiven(LINEAR_OPTIONS),
    either: findGiven(SHARED_OPTIONS),
  };
  const { backend } = options;
  if (backend === undefined) {
    if (named.github !== undefined && named.linear !== undefined)
      throw new LegionError(
        'usage.invalid',
        `${toFlag(named.github)} requires --backend github, but ${toFlag(named.linear)} requires --backend linear.`,
      );
    return (['github', 'linear', 'either'] as const).find((each) => named[each] !== undefined);
  }
  if (backend !== 'local' && backend !== 'github' && backend !== 'linear')
    throw new LegionError(
      'usage.invalid',
      `--backend takes local, github or linear, got ${quoteText(backend)}.`,
    );
  for (const [service, option] of Object.entries(named)) {
    if (option === undefined || service === backend || (service === 'either' && backend !== 'local'))
      continue;
    const text = service === 'either' ? 'github or linear' : service;
    throw new LegionError('usage.invalid', `${toFlag(option)} requires --backend ${text}.`);
  }
  return backend;
}

const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

export function validateRepositoryNames(names: readonly string[]): readonly string[] {
  for (const name of names) {
    if (!REPOSITORY.test(name))
      throw new LegionError(
        'usage.invalid',
        `--repo takes OWNER/NAME, such as acme/app, got ${quoteText(name)}.`,
      );
  }
  return names;
}

/**
 * Parses the columns of each status. As in the file, Legion moves issues to the first column listed
 * for a status.
 */
export function parseColumnNames(texts: readonly string[]): ColumnNames {
  const names: Partial<Record<Status, readonly string[]>> = {};
  for (const text of texts) {
    const [, name = '', column = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    const status = STATUSES.find((each) => normalizeStatusName(each) === normalizeStatusName(name));
    if (status === undefined || column.trim() === '') {
      const message = `--status takes STATUS=COLUMN with one of ${STATUSES.join(', ')}, got ${quoteText(text)}.`;
      throw new LegionError('usage.invalid', message);
    }
    names[status] = [...(names[status] ?? []), column.trim()];
  }
  return names;
}

function normalizeStatusName(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', ' ');
}

/** Returns true if the option was given on the command line. */
export function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
