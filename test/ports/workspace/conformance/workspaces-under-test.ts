/** Interface that each kind of workspace provides to the conformance suite. */
import type { Workspaces } from '../../../../src/ports/workspace.ts';

/**
 * Test environment of one kind of workspace. Keeps all its files in one temporary directory, which
 * is deleted at the end.
 */
export interface WorkspacesHarness {
  readonly root: string;
  /** Opens a new handle on the same root each time, as after a restart. */
  open(): Promise<Workspaces>;
  /** Creates a repository with a remote and one commit on `main` that contains `README.md`. */
  repository(): Promise<string>;
  /** Creates a repository without a working copy or a remote. */
  bareRepository(): Promise<string>;
  /** Commits everything in the workspace on its branch; resolves to the commit. */
  commit(path: string, message: string): Promise<string>;
  /** Pushes the branch to the remote and updates the repository's remote-tracking branch. */
  push(path: string, branch: string): Promise<void>;
  /**
   * Squashes all changes of the branch into one commit on `main`, with a different message.
   * Resolves to that commit.
   */
  squash(repository: string, branch: string): Promise<string>;
  /** Moves `main` to the branch. */
  fastForward(repository: string, branch: string): Promise<void>;
  /** Creates a commit on `main` that sets one file. */
  commitOnMain(repository: string, file: string, text: string): Promise<string>;
  makeBranch(repository: string, branch: string, at: string): Promise<void>;
  commitOfBranch(repository: string, branch: string): Promise<string | undefined>;
  /** Returns the branch that is checked out in the workspace. */
  branchIn(path: string): Promise<string>;
  dispose(): Promise<void>;
}

/** Returns the harness of the running test. */
export type Present = () => WorkspacesHarness;
