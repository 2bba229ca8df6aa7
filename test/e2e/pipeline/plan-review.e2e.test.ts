import { expect, test } from 'vitest';
import { stage } from '../support/legion.ts';

const begin = stage();

test('where it is asked for, the architect reviews the plan; objections reach the planner, an approval lets work begin', async () => {
  const life = await begin({
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
  const id = await life.add({ status: 'Todo', labels: ['chore', 'architect-continuity'] });
  await life.untilStatus(id, 'In Progress');
  expect((await life.issue(id)).labels).toEqual(['architect-continuity', 'chore']);
  const [, again, ...more] = life.prompts(id, 'plan');
  expect(more).toEqual([]);
  expect(again).toContain('The architect has read your plan and asked for changes.');
  expect(again).toContain('Begin with the model.');
  expect(life.prompts(id, 'architect')).toHaveLength(2);
  const { comments } = await life.detail(id);
  expect(comments.map(({ text }) => text.split('\n')[0])).toEqual([
    'The architect asks for changes to the plan.',
    'The architect approves the plan.',
  ]);
});
