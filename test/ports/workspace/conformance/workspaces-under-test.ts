/** What a kind of workspace brings to the conformance suite. */
import type { Workspaces } from '../../../../src/workspaces/workspace.ts';

/** Everything in one temporary folder that is deleted at the end. */
export interface WorkspacesHarness {
  readonly root: string;
  /** A handle of its own each time, all on the same root, as after a restart. */
  open(): Promise<Workspaces>;
  /** A repository with one commit on `main` that holds `README.md`, and with a remote. */
  repository(): Promise<string>;
  /** A repository without a working copy, and without a remote. */
  bareRepository(): Promise<string>;
  /** Commits everything in the workspace on its branch; resolves to the commit. */
  commit(path: string, message: string): Promise<string>;
  /** Pushes the branch to the remote, and lets the repository know of it. */
  push(path: string, branch: string): Promise<void>;
  /** Puts all changes of the branch on `main` as one commit of another name; resolves to it. */
  squash(repository: string, branch: string): Promise<string>;
  /** Moves `main` to the branch. */
  fastForward(repository: string, branch: string): Promise<void>;
  /** A commit on `main` that sets one file. */
  commitOnMain(repository: string, file: string, text: string): Promise<string>;
  makeBranch(repository: string, branch: string, at: string): Promise<void>;
  commitOfBranch(repository: string, branch: string): Promise<string | undefined>;
  /** The branch the workspace stands on. */
  branchIn(path: string): Promise<string>;
  dispose(): Promise<void>;
}

/** The harness of the running test. */
export type Present = () => WorkspacesHarness;
