/**
 * Runs as a separate process: ensures all requested workspaces at once, and optionally removes and
 * recreates them.
 */
import { openGitWorktrees } from '../../../src/workspaces/git-worktree/git-worktrees.ts';

const [task, root = '', repository = '', ...issues] = process.argv.slice(2);
const workspaces = await openGitWorktrees({ root, legion: 'test', environment: process.env });
process.stdout.write('ready\n');
const ensureAll = () => Promise.all(issues.map((issue) => workspaces.ensure(issue, repository)));
await ensureAll();
if (task === 'over and over') {
  for (;;) {
    await Promise.all(issues.map((issue) => workspaces.remove(issue)));
    await ensureAll();
  }
}
