/**
 * A bug report that concerns one component and has steps to reproduce the bug, so the issue goes
 * straight to planning.
 */

import { SPLIT_AT_COMMAS } from '../project.ts';
import { buildPhaseRules, buildSubmitSteps, type DemoStory } from '../story.ts';

const QUOTES = `/** Returns the fields of a line. Between quotes a comma belongs to the field, and a doubled quote is a quote. */
function splitLine(line) {
  const fields = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (quoted && line.startsWith('""', at)) {
      field += '"';
      at += 1;
    } else if (line[at] === '"') {
      quoted = !quoted;
    } else if (line[at] === ',' && !quoted) {
      fields.push(field.trim());
      field = '';
    } else {
      field += line[at];
    }
  }
  return [...fields, field.trim()];
}
`;

const TEST = `
test('keeps a comma between quotes', () => {
  assert.deepEqual(parseCsv('name,quantity\\n"Paint, white",7'), [{ name: 'Paint, white', quantity: '7' }]);
});

test('reads a doubled quote between quotes as a quote', () => {
  assert.deepEqual(parseCsv('name,quantity\\n"Pipe 2""",7'), [{ name: 'Pipe 2"', quantity: '7' }]);
});
`;

export const quotedNames: DemoStory = {
  title: 'Names that contain a comma are split',
  body: `Steps to reproduce:
1. Add the line \`"Paint, white",7,12.00\` to a CSV file
2. Read it with parseCsv of src/csv.js

Expected: an item named Paint, white. Actual: an item named "Paint whose quantity is white".`,
  labels: ['bug'],
  shows: 'a bug with steps to reproduce it: the architect is skipped, and the merge needs no approval',
  rules: (issue) => [
    {
      issue,
      phase: 'implement',
      purpose: 'start',
      steps: [
        { append: { path: 'test/csv.test.js', content: TEST } },
        { run: { argv: ['node', 'test/csv.test.js'], expect: 1 } },
        { say: 'The new tests reproduce it.' },
        { replace: { path: 'src/csv.js', find: SPLIT_AT_COMMAS, with: QUOTES } },
        { run: ['node', 'test/csv.test.js'] },
        ...buildSubmitSteps(issue, 'Keep commas inside quotes', ['src/csv.js', 'test/csv.test.js']),
      ],
    },
    ...buildPhaseRules(issue, {
      plan: ['A test that reproduces it', 'Quotes in splitLine of src/csv.js'],
      approval: 'Reproduced by a test first, fixed in the one function that splits a line.',
      lesson: 'Splitting at commas is not the same as parsing CSV.',
    }),
  ],
};
