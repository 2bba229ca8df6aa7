/** Lives on a base that others move. */
import { expect, test } from 'vitest';
import type { Explanation } from '../../../src/protocol/operator.ts';
import { git } from '../../ports/forge/git.ts';
import { MERGING, stage } from '../support/legion.ts';
import { ISSUE } from '../support/steps.ts';

const begin = stage();

/** Somebody else commits a file to the base, in the checkout the workspaces belong to. */
const moveBase = (file: string) => ({
  run: [
    'sh',
    '-c',
    'cd "$(git worktree list --porcelain | sed -n "1s/^worktree //p")" && echo moved > "$1" && git add "$1" && git -c user.name=ada -c user.email=ada@example.org commit --quiet -m "$1"',
    'sh',
    file,
  ],
});

/** A base that moves makes another commit of a rebase, at which CI has to run again. */
const CHECKED = {
  '.legion/config.yml': "merge: { auto_merge_allowed: true }\ncommands: { ci: ['true'] }\n",
};

test('planner and implementer begin at the newest base, and a needless rebase by the merger costs no other worker', async () => {
  const life = await begin({
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
  const id = await life.add({ status: 'Todo' });
  await life.untilStatus(id, 'Done');
  expect(life.prompts(id, 'implement')[0]).toContain(
    'Your branch has no commits of its own and stands at the newest main.',
  );
  const [merger = ''] = life.prompts(id, 'merge');
  expect(merger).toContain('Your branch is 1 commit behind main and merges without a conflict');
  const { workers } = await life.detail(id);
  expect(workers.map(({ mode, attempt }) => [mode, attempt])).toEqual([
    ['plan', 1],
    ['implement', 2],
    ['test', 1],
    ['review', 1],
    ['merge', 2],
  ]);
  const { headSha = '' } = (await life.detail(id)).pullRequest ?? {};
  expect(await git(life.legion.repository, 'show', `${headSha}:planned.txt`)).toBe('moved');
});

test('work that the tester sends back returns to the implementer with the reason, and nobody has crashed', async () => {
  const life = await begin({
    files: MERGING,
    scenario: [
      {
        mode: 'test',
        round: 1,
        steps: [{ done: { summary: `tried ${ISSUE}`, sentBack: 'The door is stuck.' } }],
      },
    ],
  });
  const id = await life.add({ status: 'In Progress' });
  await life.untilStatus(id, 'Done');
  const [, afterTests] = life.prompts(id, 'implement');
  expect(afterTests).toMatch(/Your work, pull request #\d+, was sent back/);
  expect(afterTests).toContain('The door is stuck.');
  const { workers } = await life.detail(id);
  expect(workers.map(({ mode, attempt, crashes }) => [mode, attempt, crashes])).toEqual([
    ['implement', 3, 0],
    ['test', 2, 0],
    ['review', 1, 0],
    ['merge', 1, 0],
  ]);
  const { rounds } = await life.door.get<Explanation>(`/issues/${id}/explain`);
  expect(rounds).toMatchObject({ sent_back: 1 });
});
