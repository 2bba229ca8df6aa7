/** Compares a jj workspace with its base, and moves it to the newest base if it has no own work. */
import { randomUUID } from 'node:crypto';
import { LegionError } from '../../core/model/fault.ts';
import { toPrintableLine } from '../../git/errors.ts';
import type { GitRunner } from '../../git/runner.ts';
import { parseJson } from '../../lib/json.ts';
import { type BaseComparison, STORE_REMOTE_NAME, type Workspace } from '../../ports/workspace.ts';
import type { BaseBranch } from '../git-worktree/repository.ts';
import type { JjRunner } from './runner.ts';
import type { JjStore } from './store.ts';
import { findHead, isCommitted, readWorkingCopy, toWorkspaceStatus, type WorkingCopy } from './work.ts';

/** Requires the repository's lock and a store with the newest base. */
export async function bringJjToBase(
  git: GitRunner,
  jj: JjRunner,
  store: JjStore,
  { path, issue }: Workspace,
  base: BaseBranch,
): Promise<BaseComparison> {
  const copy = await readWorkingCopy(jj, path);
  const comparison = await compareJjWithBase(git, jj, store, copy, base);
  if (!isMovable(copy, comparison)) return comparison;
  // Runs inside the workspace: a rewrite from elsewhere would make its files stale.
  await jj.inWorkspace(path, ['new', base.commit]);
  await jj.inStore(store.path, ['bookmark', 'set', issue, '-r', base.commit, '--allow-backwards']);
  return { ...comparison, behind: 0, moved: true };
}

function isMovable(copy: WorkingCopy, { ahead, behind, uncommitted }: BaseComparison): boolean {
  return behind > 0 && ahead === 0 && uncommitted.length === 0 && !isCommitted(copy);
}

async function compareJjWithBase(
  git: GitRunner,
  jj: JjRunner,
  store: JjStore,
  copy: WorkingCopy,
  base: BaseBranch,
): Promise<BaseComparison> {
  const head = findHead(copy);
  const range = ['rev-list', '--left-right', '--count', `${head}...${base.commit}`];
  const [ahead = 0, behind = 0] = (await git.run(store.git, range)).trim().split('\t').map(Number);
  return {
    base: `${base.name}@${STORE_REMOTE_NAME}`,
    ahead,
    behind,
    uncommitted: toWorkspaceStatus(copy).uncommitted,
    conflicts: ahead > 0 && behind > 0 ? await findConflicts(jj, store, head, base.commit) : [],
    moved: false,
  };
}

/** Merges in an operation that never becomes part of the repository. */
async function findConflicts(
  jj: JjRunner,
  store: JjStore,
  head: string,
  base: string,
): Promise<readonly string[] | 'unknown'> {
  try {
    const probe = `probe ${randomUUID()}`;
    const merge = ['--no-integrate-operation', 'new', '--no-edit', '-m', probe, base, head];
    const { messages } = await jj.inStore(store.path, merge);
    const operation = /--no-integrate-operation was requested: ([0-9a-f]+)/.exec(messages)?.[1];
    if (operation === undefined) return 'unknown';
    const files = '"[" ++ self.conflicted_files().map(|f| json(f.path())).join(",") ++ "]"';
    const revset = `description(substring:${JSON.stringify(probe)})`;
    const read = ['--at-op', operation, 'log', '--no-graph', '-r', revset, '-T', files];
    const { out } = await jj.inStore(store.path, read);
    const found = parseJson(out);
    return Array.isArray(found) ? found.map((file) => toPrintableLine(String(file))) : 'unknown';
  } catch (error) {
    if (error instanceof LegionError && error.code === 'jj.failed') return 'unknown';
    throw error;
  }
}
