/** Moves an issue's bookmark to its last commit and exports it as a git branch that can be fetched. */
import { LegionError } from '../../core/model/fault.ts';
import { findCommit } from '../../git/lookup.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { toIssueBranchRef } from '../git-worktree/create.ts';
import type { BaseBranch } from '../git-worktree/repository.ts';
import { createDivergedFault } from './create.ts';
import type { JjRunner } from './runner.ts';
import type { JjStore } from './store.ts';
import { findHead, listCommits, readBookmarkTargets, readWorkingCopy } from './work.ts';

/**
 * Requires the repository's lock. Refuses what jj's own push refuses: conflicts, commits without a
 * description, and a bookmark that points to commits outside the work.
 */
export async function exportJjBranch(
  jj: JjRunner,
  store: JjStore,
  { issue, path }: Workspace,
  base: BaseBranch,
): Promise<void> {
  const copy = await readWorkingCopy(jj, path);
  const head = findHead(copy);
  const own = `(${base.commit}..${head})`;
  const conflicted = await listCommits(jj, store.path, `conflicts() & ${own}`);
  if (conflicted.length > 0) {
    const files = copy.conflicts.length === 0 ? '' : ` (${copy.conflicts.join(', ')})`;
    throw new LegionError(
      'jj.conflicted',
      `Commits of ${issue} contain conflicts${files}: ${conflicted.join('; ')}`,
    );
  }
  const undescribed = await listCommits(jj, store.path, `description(exact:"") & ${own}`);
  if (undescribed.length > 0)
    throw new LegionError(
      'jj.undescribed',
      `Commits of ${issue} have no description: ${undescribed.join('; ')}`,
    );
  const targets = await readBookmarkTargets(jj, store.path, issue);
  if (targets.length > 1) {
    const outside = await listCommits(jj, store.path, `(${targets.join('|')}) ~ ::${head}`);
    if (outside.length > 0) throw createDivergedFault(issue, targets);
  }
  await jj.inStore(store.path, ['bookmark', 'set', issue, '-r', head, '--allow-backwards']);
  await jj.inStore(store.path, ['git', 'export']);
  // jj only warns about a bookmark that it could not export.
  if ((await findCommit(store.view.lookup, toIssueBranchRef({ issue }))) !== head)
    throw new LegionError('jj.failed', `jj did not export bookmark ${issue} to ${store.git}`);
}
