/**
 * An issue whose reviewer finds a gap: the issue goes back to the implementer and returns with a
 * fix.
 */

import { QUANTITY_AS_GIVEN } from '../project.ts';
import { buildPhaseRules, buildResubmitSteps, buildSubmitSteps, type DemoStory } from '../story.ts';

/**
 * First version of the fix. It wrongly accepts "twelve", because it rejects only numbers below
 * zero.
 */
const NO_NEGATIVE = `  if (Number(quantity) < 0) throw new Error(name + ': a quantity of ' + quantity + ' is impossible');
${QUANTITY_AS_GIVEN}`;

const WHOLE_ONLY = `  if (!/^\\d+$/.test(quantity)) throw new Error(name + ': a quantity of ' + quantity + ' is impossible');
${QUANTITY_AS_GIVEN}`;

const NEGATIVE_TEST = `
test('rejects a negative quantity', () => {
  assert.throws(() => toItems([{ name: 'Hammer', quantity: '-1', price: '18.50' }]), /Hammer: .*-1/);
});
`;

const WORD_TEST = `
test('rejects a quantity that is not a number', () => {
  assert.throws(() => toItems([{ name: 'Hammer', quantity: 'twelve', price: '18.50' }]), /Hammer: .*twelve/);
});
`;

export const quantities: DemoStory = {
  title: 'Reject impossible quantities',
  body: `A typo in the file goes unnoticed and makes the report wrong. Reading an item in src/inventory.js should reject an
impossible quantity with an error that names the item.`,
  labels: ['fix'],
  shows: 'a review that requests changes, which are then made',
  rules: (issue) => [
    {
      issue,
      phase: 'implement',
      purpose: 'start',
      steps: [
        { replace: { path: 'src/inventory.js', find: QUANTITY_AS_GIVEN, with: NO_NEGATIVE } },
        { append: { path: 'test/inventory.test.js', content: NEGATIVE_TEST } },
        { run: ['node', 'test/inventory.test.js'] },
        ...buildSubmitSteps(issue, 'Reject negative quantities', [
          'src/inventory.js',
          'test/inventory.test.js',
        ]),
      ],
    },
    {
      issue,
      phase: 'implement',
      purpose: 'review_changes',
      steps: [
        { say: 'The reviewer is right: "twelve" passes.' },
        { replace: { path: 'src/inventory.js', find: NO_NEGATIVE, with: WHOLE_ONLY } },
        { append: { path: 'test/inventory.test.js', content: WORD_TEST } },
        { run: ['node', 'test/inventory.test.js'] },
        ...buildResubmitSteps(issue, 'Reject everything but whole numbers'),
      ],
    },
    {
      issue,
      phase: 'review',
      attempt: 1,
      steps: [
        {
          review: {
            verdict: 'request-changes',
            text: 'toItem in src/inventory.js: a quantity of "twelve" is not below zero, so it still becomes NaN and spoils the report. Accept whole numbers only, and test it.',
          },
        },
        { done: 'Requested changes' },
      ],
    },
    ...buildPhaseRules(issue, {
      specification: [
        'Reading an item throws an error that names the item and its quantity',
        'Test: a negative quantity',
      ],
      plan: ['The check in toItem of src/inventory.js', 'Its tests'],
      approval: 'Whole numbers only, and both kinds of mistake are tested.',
      lesson: 'Say what is allowed instead of listing what is not.',
    }),
  ],
};
