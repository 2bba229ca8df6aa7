/** The options of `legion init` that are about a board on GitHub or Linear, which of the two they mean, and how their values are read. */
import { LegionError } from '../../../domain/fault.ts';
import { shown } from '../../../domain/shown.ts';
import { type ColumnNames, STATUSES, type Status } from '../../../domain/status.ts';
import { isGiven } from './answers.ts';

const OF_BOTH = {
  repo: {
    value: 'OWNER/NAME',
    many: true,
    says: 'GitHub, Linear: a repository of its issues; default: the remote origin of the repository around here',
  },
  'github-url': { value: 'URL', says: 'GitHub: where it is; default: https://github.com' },
  token: {
    value: 'env:NAME|file:PATH',
    says: 'GitHub: where Legion’s token is; default: GH_TOKEN, GITHUB_TOKEN or `gh auth token`',
  },
  status: {
    value: 'STATUS=COLUMN',
    many: true,
    says: 'GitHub, Linear: a column of the board that has another name than the status it means',
  },
  'create-missing': {
    says: 'GitHub, Linear: make the labels and columns that are missing; with a legion.yaml that is there, only this',
  },
} as const;

const OF_GITHUB = {
  project: { value: 'OWNER/NUMBER', says: 'GitHub: the project whose issues are worked on, or its address' },
  'rewrite-options': {
    says: 'GitHub: make columns also on a project with items, whose columns are then set again one by one',
  },
} as const;

const OF_LINEAR = {
  team: { value: 'KEY|NAME|UUID', says: 'Linear: the team whose issues are worked on' },
  forge: {
    value: 'local|github',
    says: 'Linear: where pull requests live; default: github where --repo names one, else local',
  },
  'api-key': {
    value: 'env:NAME|file:PATH',
    says: 'Linear: where Legion’s key is; default: env:LINEAR_API_KEY',
  },
  'access-token': { value: 'env:NAME|file:PATH', says: 'Linear: where the token of an OAuth app is instead' },
  'linear-url': { value: 'URL', says: 'Linear: where its API is; default: https://api.linear.app' },
} as const;

export const BOARD_OPTIONS = {
  backend: { value: 'local|github|linear', short: 'b', says: 'where the issues live; default: local' },
  ...OF_GITHUB,
  ...OF_LINEAR,
  ...OF_BOTH,
} as const;

export interface BoardOptions {
  readonly backend: string | undefined;
  readonly project: string | undefined;
  readonly 'rewrite-options': boolean;
  readonly team: string | undefined;
  readonly forge: string | undefined;
  readonly 'api-key': string | undefined;
  readonly 'access-token': string | undefined;
  readonly 'linear-url': string | undefined;
  readonly repo: readonly string[];
  readonly 'github-url': string | undefined;
  readonly token: string | undefined;
  readonly status: readonly string[];
  readonly 'create-missing': boolean;
}

export type Backend = 'local' | 'github' | 'linear';

/** What the options are about; undefined where none of them is about a board elsewhere. Any of GitHub and Linear is `either`. */
export function backendOf(given: BoardOptions): Backend | 'either' | undefined {
  const first = (options: object) =>
    (Object.keys(options) as (keyof BoardOptions)[]).find((option) => isGiven(given[option]));
  const named = { github: first(OF_GITHUB), linear: first(OF_LINEAR), either: first(OF_BOTH) };
  const { backend } = given;
  if (backend === undefined) {
    if (named.github !== undefined && named.linear !== undefined)
      throw new LegionError(
        'usage.invalid',
        `--${named.github} is for --backend github, --${named.linear} for --backend linear`,
      );
    return (['github', 'linear', 'either'] as const).find((each) => named[each] !== undefined);
  }
  if (backend !== 'local' && backend !== 'github' && backend !== 'linear')
    throw new LegionError('usage.invalid', `--backend takes local, github or linear, got ${shown(backend)}`);
  for (const [whose, option] of Object.entries(named)) {
    if (option === undefined || whose === backend || (whose === 'either' && backend !== 'local')) continue;
    const text = whose === 'either' ? 'github or linear' : whose;
    throw new LegionError('usage.invalid', `--${option} is for --backend ${text}`);
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
