/** Whether the work of a branch has arrived in the base, also when it was squashed into a commit of another name. */
import type { Git } from '../../git/runner.ts';
import { commitOf } from './repository.ts';

/** Commits of the base that are tried as the squash of the branch, newest first; two or three git runs of some ms each. */
const SQUASHES_TRIED = 200;

/**
 * By content, not by patch id, which takes no notice of white space: it has arrived where a commit of the base has the very
 * files of the branch, or where merging the branch into that commit would change nothing.
 */
export async function isMerged(
  git: Git,
  common: string,
  {
    tip,
    base,
    mergedAs,
  }: { readonly tip: string; readonly base: string; readonly mergedAs?: string | undefined },
): Promise<boolean> {
  if (await isAncestor(git, common, tip, base)) return true;
  const tree = await treeOf(git, common, tip);
  const named = mergedAs === undefined ? [] : await onBase(git, common, mergedAs, base);
  const candidates = named.length > 0 ? named : await sinceForked(git, common, { tip, tree, base });
  if (candidates.some((candidate) => candidate.tree === tree)) return true;
  for (const { commit, tree: before } of candidates) {
    // It merges in memory and says 1 where there are conflicts.
    const merged = await git.ask(common, ['merge-tree', '--write-tree', '--no-messages', commit, tip]);
    if (merged?.trim() === before) return true;
  }
  return false;
}

interface Candidate {
  readonly commit: string;
  readonly tree: string;
}

/** A commit that is named but not on the base proves nothing. */
async function onBase(git: Git, common: string, named: string, base: string): Promise<readonly Candidate[]> {
  const commit = /^[0-9a-f]{7,64}$/.test(named) ? await commitOf(git, common, named) : undefined;
  if (commit === undefined || !(await isAncestor(git, common, commit, base))) return [];
  return [{ commit, tree: await treeOf(git, common, commit) }];
}

/** None where the branch as a whole changes nothing: work that was undone again would fit into any commit. */
async function sinceForked(
  git: Git,
  common: string,
  { tip, tree, base }: { readonly tip: string; readonly tree: string; readonly base: string },
): Promise<readonly Candidate[]> {
  const fork = (await git.ask(common, ['merge-base', base, tip]))?.trim();
  if (fork === undefined || (await treeOf(git, common, fork)) === tree) return [];
  const format = ['--no-commit-header', '--format=%H %T'];
  const range = ['--first-parent', `--max-count=${SQUASHES_TRIED}`, base, `^${fork}`];
  const printed = await git.run(common, ['rev-list', ...format, ...range]);
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', tree = ''] = line.split(' ');
      return { commit, tree };
    });
}

async function isAncestor(git: Git, common: string, old: string, recent: string): Promise<boolean> {
  return (await git.ask(common, ['merge-base', '--is-ancestor', old, recent])) !== undefined;
}

async function treeOf(git: Git, common: string, commit: string): Promise<string> {
  return (await git.run(common, ['rev-parse', '--verify', `${commit}^{tree}`])).trim();
}
