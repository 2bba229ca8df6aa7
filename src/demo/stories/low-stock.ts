/**
 * A feature: the architect specifies it, the implementer asks a question, and a person approves the
 * merge.
 */

import { LAST_IMPORT, LAST_OPTION } from '../project.ts';
import { buildPhaseRules, buildSubmitSteps, type DemoStory } from '../story.ts';

const MODULE = `/** Returns the items with at most \`limit\` left, the fewest first. */
export function lowStock(items, limit) {
  return items.filter(({ quantity }) => quantity <= limit).sort((a, b) => a.quantity - b.quantity);
}
`;

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowStock } from '../src/low-stock.js';

const ITEMS = [
  { name: 'Hammer', quantity: 12 },
  { name: 'Paint brush', quantity: 3 },
  { name: 'Ladder', quantity: 1 },
];

test('lists the fewest first and includes the limit itself', () => {
  assert.deepEqual(lowStock(ITEMS, 3).map(({ name }) => name), ['Ladder', 'Paint brush']);
});

test('returns nothing if everything is above the limit', () => {
  assert.deepEqual(lowStock(ITEMS, 0), []);
});
`;

const OPTION = `} else if (option === '--low') {
  for (const { name, quantity } of lowStock(read(file), Number(limit))) console.log(name + ': ' + quantity + ' left');
`;

const ACCEPTANCE = `
test('--low lists the items that are running low', () => {
  assert.equal(stockroom('data/stock.csv', '--low', '3').stdout, 'Ladder: 1 left\\nPaint brush: 3 left\\n');
});
`;

const FILES = ['src/low-stock.js', 'test/low-stock.test.js', 'bin/stockroom.js', 'acceptance/command.js'];

export const lowStock: DemoStory = {
  title: 'List the items that are running low',
  body: `Before placing an order, you have to read the whole report. \`bin/stockroom.js\` should list only the items that are running low.

Acceptance criteria:
- [ ] \`stockroom FILE --low N\` lists the items with few left, with their quantity
- [ ] the items with the fewest left come first`,
  labels: ['feature'],
  shows: 'a feature; its worker asks a question, and its merge needs your approval',
  answer: 'Yes: with --low 3, an item with exactly 3 left is low as well.',
  rules: (issue) => [
    {
      issue,
      phase: 'implement',
      purpose: 'start',
      steps: [
        { handoff_read: true },
        { ask: 'With --low 3, does an item with exactly 3 left count as low?' },
        { write: { path: 'src/low-stock.js', content: MODULE } },
        { write: { path: 'test/low-stock.test.js', content: TEST } },
        {
          replace: {
            path: 'bin/stockroom.js',
            find: LAST_IMPORT,
            with: `import { lowStock } from '../src/low-stock.js';\n${LAST_IMPORT}`,
          },
        },
        {
          replace: {
            path: 'bin/stockroom.js',
            find: 'const [file, option] =',
            with: 'const [file, option, limit] =',
          },
        },
        { replace: { path: 'bin/stockroom.js', find: LAST_OPTION, with: `${OPTION}${LAST_OPTION}` } },
        { append: { path: 'acceptance/command.js', content: ACCEPTANCE } },
        { run: ['node', 'test/low-stock.test.js'] },
        ...buildSubmitSteps(issue, 'List the items that are running low', FILES),
      ],
    },
    ...buildPhaseRules(issue, {
      specification: [
        '--low N lists every item with few left, as NAME: QUANTITY left',
        'The items with the fewest left come first',
        'Test: the command on data/stock.csv, and the module by itself',
      ],
      plan: [
        'src/low-stock.js and its tests',
        'The option in bin/stockroom.js',
        'An acceptance test of the option',
      ],
      approval:
        'The option does what the issue asks for, the limit is inclusive as answered, and both are tested.',
      lesson: 'Ask early whether a limit is inclusive: the tests depend on it.',
      note: true,
    }),
  ],
};
