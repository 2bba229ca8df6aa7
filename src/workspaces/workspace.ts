/** The port to an issue's isolated copy of the code: `git-worktree`, `jj`. */
import type { IssueId } from '../core/model/ids.ts';

/**
 * Contract, held by one conformance suite for every kind of workspace:
 *
 * - **One per issue**, shared by all its modes and kept through the whole review cycle, on a branch named exactly after the
 *   issue. A branch of that name that is already there is used as it is, never reset.
 * - **`ensure` is idempotent and serialised per repository**, across processes: concurrent creation races on the
 *   repository's own lock file. After a kill at any instant the next `ensure` makes good what was left half done,
 *   and takes away what keeps the workspace from being worked in and belongs to nobody alive.
 * - **What `find` and `list` show is whole**: a workspace that is still being made, or already being removed, is not there.
 * - **Its real path lies below the root** and it carries a marker outside of its content; a folder without the marker is
 *   never touched, and neither is a branch that is checked out somewhere else.
 * - **`remove` refuses to lose work**: with anything uncommitted, untracked, or neither merged nor pushed inside it says
 *   what, by name, and removes nothing. What is ignored is not work. The branch goes too, but only once it is merged.
 *   Removing what is gone succeeds.
 * - **Unreadable is not absent**: `find` and `list` reject where they could not look; a list is complete or it is an error.
 * - **Nothing is fetched but submodules**: what the repository does not know of its remote, nobody here does. A submodule that
 *   is not there yet is checked out by `ensure`, which rejects with `git.submodule_failed` where it cannot be had; one that is
 *   there is left as it is.
 * - **Every failure is a coded `LegionError`.**
 */
export interface Workspaces {
  readonly kind: 'git-worktree' | 'jj';

  /** `repository` is a folder on this machine: a clone, bare or not. */
  ensure(issue: IssueId, repository: string): Promise<Workspace>;
  find(issue: IssueId): Promise<Workspace | undefined>;
  /** Where its work stands now; undefined where there is no workspace. */
  standing(issue: IssueId): Promise<Standing | undefined>;
  /**
   * Brings a branch that has no commits of its own to the newest base, unless uncommitted changes are in the way; never any
   * other branch. Resolves to how branch and base stand afterwards; undefined where there is no workspace.
   */
  bringToBase(issue: IssueId): Promise<BaseStanding | undefined>;
  /**
   * When its work last changed, in milliseconds since 1970: by a commit, or in a file that is not ignored; undefined where
   * there is no workspace. It may be up to a second late, and it is never early.
   */
  changedAt(issue: IssueId): Promise<number | undefined>;
  /** In the order of their issues. */
  list(): Promise<readonly Workspace[]>;
  remove(issue: IssueId, merge?: Merge): Promise<Removal>;
  /** Clears what dead processes and deleted folders of this root left in the repository; resolves to what that was. */
  prune(repository: string): Promise<readonly string[]>;
}

export interface Workspace {
  readonly issue: IssueId;
  readonly path: string;
  readonly branch: string;
}

export interface Standing {
  readonly head: string;
  /** Changed and untracked files, by name; what is ignored is not work. */
  readonly uncommitted: readonly string[];
}

/** How the branch of a workspace stands to its base. */
export interface BaseStanding {
  /** The base as git knows it in the workspace: `main`, `origin/main`. */
  readonly base: string;
  /** Commits of its own, and commits of the base that it does not have. */
  readonly ahead: number;
  readonly behind: number;
  /** Files in which the two conflict; `unknown` where git could not say. */
  readonly conflicts: readonly string[] | 'unknown';
  /** Changed and untracked files, by name. */
  readonly uncommitted: readonly string[];
  /** It was brought to the base just now. */
  readonly moved: boolean;
}

/** The commit on the base branch the forge made of the issue's branch; it makes a squash certain to be recognised. */
export interface Merge {
  readonly mergedAs: string;
}

export type Removal =
  | { readonly removed: true }
  /** What would have been lost: files and commits by name. */
  | { readonly removed: false; readonly holds: readonly string[] };
