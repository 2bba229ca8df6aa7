/** The options of `legion init` that are about a board on GitHub, and how their values are read. */
import { LegionError } from '../../../domain/fault.ts';
import { shown } from '../../../domain/shown.ts';
import { type ColumnNames, STATUSES, type Status } from '../../../domain/status.ts';

export const GITHUB_OPTIONS = {
  backend: { value: 'local|github', short: 'b', says: 'where the issues live; default: local' },
  project: { value: 'OWNER/NUMBER', says: 'GitHub: the project whose issues are worked on, or its address' },
  repo: {
    value: 'OWNER/NAME',
    many: true,
    says: 'GitHub: a repository of its issues; default: the remote origin of the repository around here',
  },
  'github-url': { value: 'URL', says: 'GitHub: where it is; default: https://github.com' },
  token: {
    value: 'env:NAME|file:PATH',
    says: 'GitHub: where Legion’s token is; default: GH_TOKEN, GITHUB_TOKEN or `gh auth token`',
  },
  status: {
    value: 'STATUS=COLUMN',
    many: true,
    says: 'GitHub: a column of the project that has another name than the status it means',
  },
  'create-missing': {
    says: 'GitHub: make the labels and columns that are missing; with a legion.yaml that is there, only this',
  },
  'rewrite-options': {
    says: 'GitHub: make columns also on a project with items, whose columns are then set again one by one',
  },
} as const;

export interface GithubOptions {
  readonly backend: string | undefined;
  readonly project: string | undefined;
  readonly repo: readonly string[];
  readonly 'github-url': string | undefined;
  readonly token: string | undefined;
  readonly status: readonly string[];
  readonly 'create-missing': boolean;
  readonly 'rewrite-options': boolean;
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
