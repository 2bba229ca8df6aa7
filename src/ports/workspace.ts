/** Port to an issue's isolated copy of the code: `git-worktree`, `jj`. */
import type { IssueId } from '../core/model/ids.ts';

/**
 * Contract, verified by one conformance suite for every kind of workspace:
 *
 * - **One per issue**, shared by all its modes and kept through the whole review cycle, on a branch
 *   named exactly after the issue. An existing branch of that name is used as it is, never reset.
 * - **`ensure` is idempotent and serialised per repository**, across processes: concurrent creation
 *   competes for the repository's own lock file. After a kill at any instant the next `ensure`
 *   repairs what was left half done, and removes leftovers of dead processes that block work in the
 *   workspace.
 * - **`find` and `list` show only complete workspaces**: one that is being created or removed does
 *   not appear.
 * - **Its real path is below the root**, and it has a marker outside its content. A directory
 *   without the marker is never touched, and neither is a branch that is checked out elsewhere.
 * - **`remove` refuses to lose work**: if anything is uncommitted, untracked, or neither merged nor
 *   pushed, it lists the names and removes nothing. Ignored files are not work. The branch is
 *   deleted too, but only once it is merged. Removing a missing workspace succeeds.
 * - **Unreadable is not absent**: `find` and `list` reject if they cannot read; a list is complete
 *   or an error.
 * - **Only submodules are fetched**: workspaces see only what the repository already knows of its
 *   remote. `ensure` checks out a missing submodule and rejects with `git.submodule_failed` if it
 *   cannot; it leaves an existing one unchanged.
 * - **Every failure is a coded `LegionError`.**
 */
export interface Workspaces {
  readonly kind: 'git-worktree' | 'jj';

  /** `repository` is a directory on this machine: a clone, bare or not. */
  ensure(issue: IssueId, repository: string): Promise<Workspace>;
  find(issue: IssueId): Promise<Workspace | undefined>;
  /** Returns the current state of its work, or undefined if there is no workspace. */
  readStatus(issue: IssueId): Promise<WorkspaceStatus | undefined>;
  /**
   * Moves a branch without own commits to the newest base, unless uncommitted changes block the
   * move. Never moves any other branch. Resolves to the resulting relation of branch and base, or
   * undefined if there is no workspace.
   */
  bringToBase(issue: IssueId): Promise<BaseComparison | undefined>;
  /**
   * Returns the time of the last commit or of the last change to a file that is not ignored,
   * whichever is later, in milliseconds since 1970. Undefined if there is no workspace. The time
   * may be up to a second late, never early.
   */
  changedAt(issue: IssueId): Promise<number | undefined>;
  /** Ordered by issue. */
  list(): Promise<readonly Workspace[]>;
  remove(issue: IssueId, merge?: WorkspaceMerge): Promise<RemovalResult>;
  /**
   * Removes everything that dead processes and deleted directories of this root left in the
   * repository. Resolves to a list of what was removed.
   */
  prune(repository: string): Promise<readonly string[]>;
}

export interface Workspace {
  readonly issue: IssueId;
  readonly path: string;
  readonly branch: string;
}

export interface WorkspaceStatus {
  readonly head: string;
  /** Names of changed and untracked files. Ignored files are not work. */
  readonly uncommitted: readonly string[];
}

/** Relation of a workspace's branch to its base. */
export interface BaseComparison {
  /** The base as git names it in the workspace: `main`, `origin/main`. */
  readonly base: string;
  /**
   * `ahead`: number of the branch's own commits. `behind`: number of the base's commits that the
   * branch lacks.
   */
  readonly ahead: number;
  readonly behind: number;
  /** Files in which branch and base conflict. `unknown` if git could not tell. */
  readonly conflicts: readonly string[] | 'unknown';
  /** Names of changed and untracked files. */
  readonly uncommitted: readonly string[];
  /** True if the branch was moved to the base just now. */
  readonly moved: boolean;
}

/**
 * The forge's commit on the base branch that merged the issue's branch. It identifies a squash
 * merge with certainty.
 */
export interface WorkspaceMerge {
  readonly mergedAs: string;
}

export type RemovalResult =
  | { readonly removed: true }
  /** Names of files and commits that would have been lost. */
  | { readonly removed: false; readonly holds: readonly string[] };

/** Not part of `.legion`, because that directory belongs to the repository and is tracked. */
export const SCRATCH_FOLDER = '.legion-scratch';
