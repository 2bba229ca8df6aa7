/** Run as a process of its own: ensures all the workspaces it is told to at once, on demand removes and makes them again. */
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
