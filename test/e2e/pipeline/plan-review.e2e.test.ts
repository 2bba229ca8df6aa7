import { expect, test } from 'vitest';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

test('if configured, the architect reviews the plan: the planner receives objections, and an approval lets work begin', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { per_mode: { implement: 0 } }\n',
    scenario: [
      {
        purpose: 'plan_review',
        round: 1,
        steps: [
          { plan_review: { verdict: 'request-changes', text: 'Begin with the model.' } },
          { done: 'objected' },
        ],
      },
    ],
  });
  const id = await daemon.add({ status: 'Todo', labels: ['chore', 'architect-continuity'] });
  await daemon.untilStatus(id, 'In Progress');
  expect((await daemon.issue(id)).labels).toEqual(['architect-continuity', 'chore']);
  const [, again, ...more] = daemon.prompts(id, 'plan');
  expect(more).toEqual([]);
  expect(again).toContain('The architect has read your plan and asked for changes.');
  expect(again).toContain('Begin with the model.');
  expect(daemon.prompts(id, 'architect')).toHaveLength(2);
  const { comments } = await daemon.detail(id);
  expect(comments.map(({ text }) => text.split('\n')[0])).toEqual([
    '**Plan**',
    'The architect asks for changes to the plan.',
    'The architect approves the plan.',
  ]);
});
