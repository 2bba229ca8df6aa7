/** Git worktrees keep the contract of workspaces. */
import { workspacesConformance } from '../conformance.ts';
import { gitHarness } from './harness.ts';

workspacesConformance('git-worktree', gitHarness);
