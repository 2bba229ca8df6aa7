/** Where the work in a workspace stands: its commit, and what is not in it. */
import type { Git } from '../../git/runner.ts';
import { printable } from '../../git/words.ts';
import type { Standing } from '../workspace.ts';

/** One process for both; said in full, because the repository's settings could say otherwise. */
const STATUS = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=normal',
  '--ignore-submodules=none',
  '--no-renames',
];

const HEAD = '# branch.oid ';
/** Fields before the path of a changed, an unmerged and an untracked file. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

export async function standingOf(git: Git, path: string): Promise<Standing> {
  const records = (await git.run(path, STATUS)).split('\0');
  const head = records.find((record) => record.startsWith(HEAD))?.slice(HEAD.length) ?? '';
  const uncommitted = records.flatMap((record) => {
    const fields = FIELDS[record.charAt(0)];
    return fields === undefined || record.startsWith('#') ? [] : [printable(afterFields(record, fields))];
  });
  return { head, uncommitted };
}

function afterFields(record: string, fields: number): string {
  return record.split(' ').slice(fields).join(' ');
}
