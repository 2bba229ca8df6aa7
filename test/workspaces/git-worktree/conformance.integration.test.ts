/** Runs the workspace conformance suite on git worktrees. */
import { workspacesConformance } from '../../ports/workspace/conformance.ts';
import { gitHarness } from './worktree-setup.ts';

workspacesConformance('git-worktree', gitHarness);
