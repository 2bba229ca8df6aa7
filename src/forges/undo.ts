/** Makes the commit that undoes a merged one on top of a base that may have moved on. */
import { LegionError } from '../core/model/fault.ts';
import { mergeInMemory } from '../integrations/forge-support/compare.ts';
import type { Repository } from '../integrations/forge-support/repository.ts';
import { revertTrailer } from './squash-message.ts';

export interface Undoing {
  /** The pull request that is undone. */
  readonly number: number;
  readonly title: string;
  /** The commit it became. */
  readonly commit: string;
  /** The commit the base stood at before that. */
  readonly before: string;
  /** The commit the base stands at now. */
  readonly base: string;
  readonly issue: string;
  /** Under whose name, as git reads it from its environment. */
  readonly identity: Readonly<Record<string, string>>;
}

/** Resolves to a commit on the base, which no reference names yet. */
export async function undo(repository: Repository, undoing: Undoing): Promise<string> {
  const { number, title, commit, before, base, issue, identity } = undoing;
  const make = async (tree: string, parent: string, message: string) => {
    const args = ['commit-tree', tree, '-p', parent];
    return (await repository.run(args, { input: message, env: identity })).out.trim();
  };
  // A commit that undoes the merge right after it; merging that into the base carries only the undoing over.
  const undone = await make(`${before}^{tree}`, commit, 'undo');
  const result = await mergeInMemory(repository, base, undone);
  if ('conflicts' in result) {
    const where = `${commit} conflicts with ${repository.base} in ${result.conflicts.join(', ')}`;
    throw new LegionError('forge.revert_conflict', where);
  }
  const { out: tree } = await repository.run(['rev-parse', `${base}^{tree}`]);
  if (tree.trim() === result.tree) {
    throw new LegionError('forge.nothing_to_merge', `nothing of pull request ${number} is left to undo`);
  }
  const trailers = `Legion-Issue: ${issue}\n${revertTrailer(number)}`;
  return make(result.tree, base, `${revertTitle(title)}\n\nThis reverts commit ${commit}.\n\n${trailers}\n`);
}

/** A long title is cut: it is a name, and the number is in the text. */
export function revertTitle(title: string): string {
  return `Revert "${title.slice(0, 240)}"`;
}

export const revertBranch = (number: number, branch: string): string => `revert-${number}-${branch}`;

/** Whether a head, where `base` is left behind, was made by `undo` for this pull request. */
export async function undoes(
  repository: Repository,
  head: string,
  base: string,
  number: number,
): Promise<boolean> {
  const { out } = await repository.run(['log', '--format=%B', `${base}..${head}`]);
  const { out: own } = await repository.run(['log', '-1', '--format=%B', head]);
  return `${out}\n${own}`.split('\n').includes(revertTrailer(number));
}
