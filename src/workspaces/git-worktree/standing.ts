/** Where the work in a workspace stands: its commit, and what is not in it. */

import { printable } from '../../git/errors.ts';
import type { Git } from '../../git/runner.ts';
import type { Standing } from '../workspace.ts';

/** One process for both; said in full, because the repository's settings could say otherwise. */
const STATUS = ['status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=none', '--no-renames'];

const HEAD = '# branch.oid ';
/** Fields before the path of a changed, an unmerged and an untracked file. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

export async function standingOf(git: Git, path: string): Promise<Standing> {
  const records = await recordsOf(git, path, 'normal');
  const head = records.find((record) => record.startsWith(HEAD))?.slice(HEAD.length) ?? '';
  return { head, uncommitted: pathsIn(records).map((file) => printable(file)) };
}

/** Changed and untracked files below `path`; `all`: also those in folders nothing of which is tracked. */
export async function uncommittedIn(git: Git, path: string, untracked: Untracked): Promise<string[]> {
  return pathsIn(await recordsOf(git, path, untracked));
}

type Untracked = 'normal' | 'all';

async function recordsOf(git: Git, path: string, untracked: Untracked): Promise<string[]> {
  return (await git.run(path, [...STATUS, `--untracked-files=${untracked}`])).split('\0');
}

function pathsIn(records: readonly string[]): string[] {
  return records.flatMap((record) => {
    const fields = FIELDS[record.charAt(0)];
    return fields === undefined || record.startsWith('#') ? [] : [record.split(' ').slice(fields).join(' ')];
  });
}
