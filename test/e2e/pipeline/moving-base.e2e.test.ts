/** Tests issues whose base branch receives commits from other people. */
import { expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import { git } from '../../ports/forge/git.ts';
import { AUTO_MERGE_FILES, setUpDaemons } from '../support/legion.ts';
import { ISSUE } from '../support/steps.ts';

const startDaemon = setUpDaemons();

/**
 * Makes another person commit a file to the base, in the checkout to which the workspaces belong.
 */
const moveBase = (file: string) => ({
  run: [
    'sh',
    '-c',
    'cd "$(git worktree list --porcelain | sed -n "1s/^worktree //p")" && echo moved > "$1" && git add "$1" && git -c user.name=ada -c user.email=ada@example.org commit --quiet -m "$1"',
    'sh',
    file,
  ],
});

/** Configures CI. A rebase creates a new commit, so CI must run again after it. */
const CHECKED = {
  '.legion/config.yml': "merge: { auto_merge_allowed: true }\ncommands: { ci: ['true'] }\n",
};

test('the planner and the implementer start at the newest base; an unnecessary update of the branch by the merge worker restarts no other worker', async () => {
  const daemon = await startDaemon({
    files: CHECKED,
    scenario: [
      { mode: 'plan', steps: [moveBase('planned.txt'), { handoff: 'The plan.' }, { done: 'planned' }] },
      {
        mode: 'review',
        steps: [
          moveBase('reviewed.txt'),
          { review: { verdict: 'approve', text: 'Good.' } },
          { done: 'approved' },
        ],
      },
      {
        mode: 'merge',
        round: 1,
        steps: [{ merge_base: true }, { push: true }, { crash: 1 }],
      },
    ],
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilStatus(id, 'Done');
  expect(daemon.prompts(id, 'implement')[0]).toContain(
    'Your branch has no commits of its own and is up to date with main.',
  );
  const [merger = ''] = daemon.prompts(id, 'merge');
  expect(merger).toContain('Your branch is 1 commit behind main and merges cleanly');
  const { workers } = await daemon.detail(id);
  expect(workers.map(({ mode, attempt }) => [mode, attempt])).toEqual([
    ['plan', 1],
    ['implement', 2],
    ['test', 1],
    ['review', 1],
    ['merge', 2],
  ]);
  const { headSha = '' } = (await daemon.detail(id)).pullRequest ?? {};
  expect(await git(daemon.legion.repository, 'show', `${headSha}:planned.txt`)).toBe('moved');
});

test('returns work to the implementer with the reason if the tester rejects it, without recording a crash', async () => {
  const daemon = await startDaemon({
    files: AUTO_MERGE_FILES,
    scenario: [
      {
        mode: 'test',
        round: 1,
        steps: [{ done: { summary: `tried ${ISSUE}`, sentBack: 'The door is stuck.' } }],
      },
    ],
  });
  const id = await daemon.add({ status: 'In Progress' });
  await daemon.untilStatus(id, 'Done');
  const [, afterTests] = daemon.prompts(id, 'implement');
  expect(afterTests).toMatch(/Your work, pull request #\d+, was sent back/);
  expect(afterTests).toContain('The door is stuck.');
  const { workers } = await daemon.detail(id);
  expect(workers.map(({ mode, attempt, crashes }) => [mode, attempt, crashes])).toEqual([
    ['implement', 3, 0],
    ['test', 2, 0],
    ['review', 1, 0],
    ['merge', 1, 0],
  ]);
  const { rounds } = await daemon.client.get<IssueExplanation>(`/issues/${id}/explain`);
  expect(rounds).toMatchObject({ sent_back: 1 });
});
