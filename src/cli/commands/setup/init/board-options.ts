/** The options of `legion init` that are about a board on GitHub or Linear, which of the two they mean, and how their values are read. */
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { LegionError, shown } from '../../../../core/model/fault.ts';
import { type ColumnNames, STATUSES, type Status } from '../../../../core/model/status.ts';
import { collectValues, toFlag } from '../../../program/options.ts';
import { isGiven } from '../../init/answers.ts';

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
const OF_BOTH: readonly BoardOption[] = ['repo', 'githubUrl', 'token', 'status', 'createMissing'];
const OF_GITHUB: readonly BoardOption[] = ['project', 'rewriteOptions'];
const OF_LINEAR: readonly BoardOption[] = ['team', 'forge', 'apiKey', 'accessToken', 'linearUrl'];

export function addBoardOptions<Options extends OptionValues>(
  command: Command<[], Options>,
): Command<[], Options & BoardOptions> {
  const inBoard = inGroup('A board on GitHub or Linear:');
  const inGithub = inGroup('GitHub:');
  const inLinear = inGroup('Linear:');
  const repo = inBoard(
    '--repo <OWNER/NAME>',
    'Repository of the issues (default: the remote origin); repeatable',
  );
  const status = inBoard('--status <STATUS=COLUMN>', 'Column of a status that has another name; repeatable');
  return command
    .addOption(inBoard('-b, --backend <local|github|linear>', 'Where the issues are (default: local)'))
    .addOption(repo.argParser(collectValues).default([]))
    .addOption(status.argParser(collectValues).default([]))
    .addOption(
      inBoard(
        '--create-missing',
        'Create missing labels and columns; with an existing legion.yaml, do only this',
      ),
    )
    .addOption(inGithub('--project <OWNER/NUMBER>', 'Project whose issues Legion works on, or its address'))
    .addOption(inGithub('--github-url <URL>', 'Address of GitHub (default: https://github.com)'))
    .addOption(
      inGithub(
        '--token <env:NAME|file:PATH>',
        'Where the token is (default: GH_TOKEN, GITHUB_TOKEN or `gh auth token`)',
      ),
    )
    .addOption(
      inGithub(
        '--rewrite-options',
        'Create columns although the project has items; the items then return to their columns one by one',
      ),
    )
    .addOption(inLinear('--team <KEY|NAME|UUID>', 'Team whose issues Legion works on'))
    .addOption(
      inLinear(
        '--forge <local|github>',
        'Where pull requests are (default: github if --repo is given, otherwise local)',
      ),
    )
    .addOption(
      inLinear('--api-key <env:NAME|file:PATH>', 'Where the API key is (default: env:LINEAR_API_KEY)'),
    )
    .addOption(
      inLinear('--access-token <env:NAME|file:PATH>', 'Where the token of an OAuth app is, instead of a key'),
    )
    .addOption(
      inLinear('--linear-url <URL>', 'Address of Linear’s API (default: https://api.linear.app)'),
    ) as unknown as Command<[], Options & BoardOptions>;
}

function inGroup(heading: string) {
  return (flags: string, description: string) => new Option(flags, description).helpGroup(heading);
}

export type Backend = 'local' | 'github' | 'linear';

/** What the options are about; undefined where none of them is about a board elsewhere. Any of GitHub and Linear is `either`. */
export function backendOf(given: BoardOptions): Backend | 'either' | undefined {
  const first = (options: readonly BoardOption[]) => options.find((option) => isGiven(given[option]));
  const named = { github: first(OF_GITHUB), linear: first(OF_LINEAR), either: first(OF_BOTH) };
  const { backend } = given;
  if (backend === undefined) {
    if (named.github !== undefined && named.linear !== undefined)
      throw new LegionError(
        'usage.invalid',
        `${toFlag(named.github)} is for --backend github, ${toFlag(named.linear)} for --backend linear`,
      );
    return (['github', 'linear', 'either'] as const).find((each) => named[each] !== undefined);
  }
  if (backend !== 'local' && backend !== 'github' && backend !== 'linear')
    throw new LegionError('usage.invalid', `--backend takes local, github or linear, got ${shown(backend)}`);
  for (const [whose, option] of Object.entries(named)) {
    if (option === undefined || whose === backend || (whose === 'either' && backend !== 'local')) continue;
    const text = whose === 'either' ? 'github or linear' : whose;
    throw new LegionError('usage.invalid', `${toFlag(option)} is for --backend ${text}`);
  }
  return backend;
}

const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

export function checkedRepositories(names: readonly string[]): readonly string[] {
  for (const name of names) {
    if (!REPOSITORY.test(name))
      throw new LegionError('usage.invalid', `--repo takes OWNER/NAME, such as acme/app, got ${shown(name)}`);
  }
  return names;
}

/** The first column of a status is the one that is written, as in the file. */
export function columnNames(given: readonly string[]): ColumnNames {
  const names: Partial<Record<Status, readonly string[]>> = {};
  for (const text of given) {
    const [, name = '', column = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    const status = STATUSES.find((each) => plain(each) === plain(name));
    if (status === undefined || column.trim() === '') {
      const says = `--status takes STATUS=COLUMN with one of ${STATUSES.join(', ')}, got ${shown(text)}`;
      throw new LegionError('usage.invalid', says);
    }
    names[status] = [...(names[status] ?? []), column.trim()];
  }
  return names;
}

function plain(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', ' ');
}
