/** Whether the work of a branch has arrived in the base, also when it was squashed into a commit of another name. */
import { LegionError } from '../../domain/fault.ts';
import { commitOf } from '../../git/lookup.ts';
import type { Git } from '../../git/runner.ts';
import type { RepositoryView } from './repository.ts';

/** Commits of the base that are tried as the squash of the branch, newest first; two or three git runs of some ms each. */
const SQUASHES_TRIED = 200;

/**
 * By content, not by patch id, which takes no notice of white space: it has arrived where a commit of the base has the very
 * files of the branch, or where merging the branch into that commit would change nothing.
 */
export async function isMerged(
  git: Git,
  repository: RepositoryView,
  {
    tip,
    base,
    mergedAs,
  }: { readonly tip: string; readonly base: string; readonly mergedAs?: string | undefined },
): Promise<boolean> {
  const { common } = repository;
  if (await isAncestor(git, common, tip, base)) return true;
  const tree = await treeOf(repository, tip);
  const named = mergedAs === undefined ? [] : await onBase(git, repository, mergedAs, base);
  const candidates = named.length > 0 ? named : await sinceForked(git, repository, { tip, tree, base });
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
async function onBase(
  git: Git,
  repository: RepositoryView,
  named: string,
  base: string,
): Promise<readonly Candidate[]> {
  const commit = /^[0-9a-f]{7,64}$/.test(named) ? await commitOf(repository.lookup, named) : undefined;
  if (commit === undefined || !(await isAncestor(git, repository.common, commit, base))) return [];
  return [{ commit, tree: await treeOf(repository, commit) }];
}

/** None where the branch as a whole changes nothing: work that was undone again would fit into any commit. */
async function sinceForked(
  git: Git,
  repository: RepositoryView,
  { tip, tree, base }: { readonly tip: string; readonly tree: string; readonly base: string },
): Promise<readonly Candidate[]> {
  const { common } = repository;
  const fork = (await git.ask(common, ['merge-base', base, tip]))?.trim();
  if (fork === undefined || (await treeOf(repository, fork)) === tree) return [];
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

async function treeOf({ common, lookup }: RepositoryView, commit: string): Promise<string> {
  const [tree] = await lookup.objects([`${commit}^{tree}`]);
  if (tree === undefined) throw new LegionError('git.failed', `${common} has no commit ${commit}`);
  return tree;
}
