/** Git worktrees keep the contract of workspaces. */
import { workspacesConformance } from '../../ports/workspace/conformance.ts';
import { gitHarness } from './worktree-setup.ts';

workspacesConformance('git-worktree', gitHarness);
