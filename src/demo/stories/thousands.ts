/**
 * An issue whose worker crashes in the middle of its work: the worker is respawned and continues
 * from its checkpoint.
 */

import { PLAIN_AMOUNT } from '../project.ts';
import { buildPhaseRules, buildSubmitSteps, type DemoStory } from '../story.ts';

const GROUPED = `  return (cents / 100).toFixed(2).replace(/\\B(?=(\\d{3})+\\.)/g, ',');
`;

const TEST = `
test('separates thousands', () => {
  assert.equal(formatCents(123456789), '1,234,567.89');
  assert.equal(formatCents(99999), '999.99');
});
`;

export const thousands: DemoStory = {
  title: 'Add thousands separators to amounts',
  body: `Large amounts are hard to read. formatCents in src/money.js should print 1234567.89 as \`1,234,567.89\`, and amounts below
a thousand as before.`,
  labels: ['chore'],
  shows: 'a worker that is killed in the middle of its work and respawned',
  rules: (issue) => [
    {
      issue,
      phase: 'implement',
      attempt: 1,
      steps: [
        { replace: { path: 'src/money.js', find: PLAIN_AMOUNT, with: GROUPED } },
        { commit: `${issue}: Add thousands separators` },
        {
          checkpoint: {
            stage: 'the code is written, its tests are not',
            completed: ['formatCents in src/money.js, committed'],
            remaining: ['its tests', 'push', 'pull request'],
            lastAction: 'git commit',
          },
        },
        { crash: 'SIGKILL' },
      ],
    },
    {
      issue,
      phase: 'implement',
      attempt: '>1',
      steps: [
        { say: 'The checkpoint says that the code is written: only its tests are left.' },
        { append: { path: 'test/money.test.js', content: TEST } },
        { run: ['node', 'test/money.test.js'] },
        ...buildSubmitSteps(issue, 'Add thousands separators', ['src/money.js', 'test/money.test.js']),
      ],
    },
    ...buildPhaseRules(issue, {
      specification: [
        '1234567.89 is printed as 1,234,567.89; amounts below a thousand are printed as before',
        'Test: one amount of each kind',
      ],
      plan: ['formatCents in src/money.js', 'Its tests'],
      approval: 'One expression, tested on both sides of a thousand.',
      lesson: 'A checkpoint before the tests made the crash cheap.',
    }),
  ],
};
