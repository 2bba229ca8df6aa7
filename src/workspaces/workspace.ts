/** The port to an issue's isolated copy of the code: `git-worktree`, `jj`. */
import type { IssueId } from '../domain/ids.ts';

/**
 * Contract, held by one conformance suite for every kind of workspace:
 *
 * - **One per issue**, shared by all its modes and kept through the whole review cycle, on a branch named after the issue.
 * - **`ensure` is idempotent and serialised per repository**: concurrent creation races on the repository's own lock file.
 * - **Its real path lies below the root** and carries a marker file; a folder without the marker is never touched.
 * - **`remove` refuses to lose work**: with anything uncommitted, unpushed or unmerged inside it says what, and removes
 *   nothing. Removing what is gone succeeds.
 * - **Unreadable is not absent**: `find` rejects where it could not look.
 */
export interface Workspaces {
  readonly kind: 'git-worktree' | 'jj';

  ensure(issue: IssueId, repository: string): Promise<Workspace>;
  find(issue: IssueId): Promise<Workspace | undefined>;
  list(): Promise<readonly Workspace[]>;
  remove(issue: IssueId): Promise<Removal>;
}

export interface Workspace {
  readonly issue: IssueId;
  readonly path: string;
  readonly branch: string;
}

export type Removal =
  | { readonly removed: true }
  /** What would have been lost: files and commits by name. */
  | { readonly removed: false; readonly holds: readonly string[] };
