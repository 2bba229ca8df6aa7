/** Dependencies shared by all operations of the GitHub forge. */
import type { Clock } from '../../../core/model/clock.ts';
import type { CommitComparison, GitIdentity, GitRepository } from '../../forge-support/repository.ts';
import type { GithubClient } from '../client/client.ts';
import type { IssueReference } from '../client/issue-reference.ts';
import type { GithubAuthors } from '../client/permissions.ts';
import type { IsLegion } from '../client/published-text.ts';

export interface GithubForgeContext {
  readonly client: GithubClient;
  readonly repo: RepositoryName;
  /** The branch that pull requests are merged into. */
  readonly base: string;
  readonly clone: GithubClone;
  readonly clock: Clock;
  /**
   * Caches job logs by job number. The log of a finished job does not change, and each read costs a
   * request.
   */
  readonly jobLogs: (job: string, ask: () => Promise<string | undefined>) => Promise<string | undefined>;
  /** Returns the issue that a branch is named after, which may be in another repository. */
  readonly issueOf: (branch: string) => IssueReference | undefined;
  /**
   * Returns the numbers of this repository's pull requests that the tracker links to the branch's
   * issue.
   */
  readonly attached: (branch: string) => readonly number[];
  /**
   * Returns whether an account, by its name on GitHub (`ada`, `legion-impl[bot]`), belongs to
   * Legion.
   */
  readonly isLegion: IsLegion;
  /** Decides which authors have no write access. */
  readonly authors: GithubAuthors;
  /** The identity for revert commits. */
  readonly identity: () => Promise<GitIdentity>;
  /** Reports a problem that was skipped so that the rest of the work could continue. */
  readonly reportProblem: (error: unknown) => void;
  /** Call after a write: invalidates the cached branch and notifies listeners. */
  readonly changed: (branch: string) => void;
  /** Aborts when the forge is closed, for operations without a signal of their own. */
  readonly closing: AbortSignal;
}

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

export interface GithubClone {
  readonly repository: GitRepository;
  readonly comparison: CommitComparison;
  /** Fetches missing commits. Skips those that GitHub does not have either. */
  fetchCommits(shas: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Returns the branch's current head on GitHub. */
  readHead(branch: string): Promise<string | undefined>;
  /**
   * Moves a branch on GitHub if it is still at `from`. If `from` is undefined, the branch must not
   * exist yet.
   */
  moveBranch(branch: string, from: string | undefined, to: string): Promise<void>;
}
