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
  /** Returns the variables that a worker's programs need besides its own variables. */
  buildWorkerEnvironment(own: Readonly<Record<string, string>>): Readonly<Record<string, string>>;

  /** `repository` is a directory on this machine: a clone, bare or not. */
  ensure(issue: IssueId, repository: string): Promise<Workspace>;
  find(issue: IssueId): Promise<Workspace | undefined>;
  /** Returns the current state of the work in the workspace, or undefined if there is no workspace. */
  readStatus(issue: IssueId): Promise<WorkspaceStatus | undefined>;
  /**
   * Moves a branch that has no commits of its own to the newest base, unless uncommitted changes
   * block the move. Never moves any other branch. Resolves to the resulting relation between branch
   * and base, or undefined if there is no workspace.
   */
  bringToBase(issue: IssueId): Promise<BaseComparison | undefined>;
  /**
   * Returns the time of the last commit or of the last change to a file that is not ignored,
   * whichever is later, in milliseconds since 1970. Undefined if there is no workspace. The time
   * may be up to a second late, never early.
   */
  changedAt(issue: IssueId): Promise<number | undefined>;
  /** How often to call `snapshot` while a worker runs, in ms. Absent if `snapshot` records nothing. */
  readonly snapshotIntervalMs?: number | undefined;
  /**
   * Records uncommitted files so that they survive the deletion of the directory, if this kind of
   * workspace supports that. Does nothing if there is no workspace.
   */
  snapshot(issue: IssueId): Promise<void>;
  /**
   * Publishes the issue's commits on the issue's branch, where git can read them. Resolves to the
   * directory to fetch the branch from, or undefined if there is no workspace. Rejects if a commit
   * cannot be published.
   */
  exportBranch(issue: IssueId): Promise<string | undefined>;
  /** Resolves to what git must read to see all changes, or undefined if there is no workspace. */
  locateChanges(issue: IssueId): Promise<WorkspaceChanges | undefined>;
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

/** Where git finds the changes of a workspace, including uncommitted ones. */
export interface WorkspaceChanges {
  readonly folder: string;
  /** The commit that contains the changes. Undefined if they are the files in `folder`. */
  readonly commit?: string | undefined;
}

/** Relation of a workspace's branch to its base. */
export interface BaseComparison {
  /** The base as a worker names it in the workspace: `main`, `origin/main`, `main@origin` in jj. */
  readonly base: string;
  /**
   * `ahead`: number of the branch's own commits. `behind`: number of the base's commits that the
   * branch lacks.
   */
  readonly ahead: number;
  readonly behind: number;
  /** Files in which the branch and the base conflict. `unknown` if git could not tell. */
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

/** The name under which a jj workspace knows the repository's branches: `main@origin`. */
export const STORE_REMOTE_NAME = 'origin';

/** Not part of `.legion`, because that directory belongs to the repository and is tracked. */
export const SCRATCH_FOLDER = '.legion-scratch';
