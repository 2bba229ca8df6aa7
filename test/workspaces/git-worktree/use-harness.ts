/** A harness of its own for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import { type GitHarness, gitHarness } from './worktree-setup.ts';

/** The result gives the harness of the running test; it is gone after it. */
export function useGit(): () => GitHarness {
  let harness: GitHarness;
  beforeEach(async () => {
    harness = await gitHarness();
  });
  afterEach(() => harness.dispose());
  return () => harness;
}
