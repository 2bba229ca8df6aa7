/** Provides a harness for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import { type GitHarness, gitHarness } from './worktree-setup.ts';

/** Returns a getter for the running test's harness, which is removed afterwards. */
export function useGit(): () => GitHarness {
  let harness: GitHarness;
  beforeEach(async () => {
    harness = await gitHarness();
  });
  afterEach(() => harness.dispose());
  return () => harness;
}
