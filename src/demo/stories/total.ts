/** An issue whose first attempt breaks something else: the tester finds it, and it goes back to its implementer. */
import { courseOf, handIn, handInAgain } from '../course.ts';
import { EVERY_LINE, LINES_ONLY } from '../project.ts';
import type { Story } from '../story.ts';

const IMPORT = `import { formatCents } from './money.js';
`;

/** Counts as an item for everybody who counts the lines. */
const TOTAL_AS_A_LINE = `  return [...items.map(toLine), 'Total ' + formatCents(totalCents(items))];
`;

const TOTAL_IN_THE_TEXT = `export function reportText(items) {
  const total = 'Total ' + formatCents(totalCents(items));
  return [...reportLines(items), total].map((line) => line + '\\n').join('');
}
`;

const TEST = `
test('the last line is what everything is worth together', () => {
  assert.match(reportText([HAMMERS]), /\\nTotal 222\\.00\\n$/);
});
`;

export const total: Story = {
  title: 'End the report with what the stock is worth',
  body: `The report of src/report.js lists every item, and the reader adds up the prices by hand.

Acceptance criteria:
- [ ] the last line of the report is \`Total\` and what all items are worth together`,
  labels: ['chore'],
  shows: 'a first attempt that fails the acceptance tests and is mended',
  rules: (issue) => [
    {
      issue,
      phase: 'implement',
      purpose: 'start',
      steps: [
        {
          replace: {
            path: 'src/report.js',
            find: IMPORT,
            with: `import { totalCents } from './inventory.js';\n${IMPORT}`,
          },
        },
        { replace: { path: 'src/report.js', find: EVERY_LINE, with: TOTAL_AS_A_LINE } },
        { append: { path: 'test/report.test.js', content: TEST } },
        { run: ['node', 'test/report.test.js'] },
        ...handIn(issue, 'End the report with a total', ['src/report.js', 'test/report.test.js']),
      ],
    },
    {
      issue,
      phase: 'implement',
      purpose: 'test_failure',
      steps: [
        { say: 'The total is a line of the report, so --count counts it as an item.' },
        { replace: { path: 'src/report.js', find: TOTAL_AS_A_LINE, with: EVERY_LINE } },
        { replace: { path: 'src/report.js', find: LINES_ONLY, with: TOTAL_IN_THE_TEXT } },
        { run: ['node', 'test/report.test.js'] },
        { run: ['node', '--test', 'acceptance/command.js'] },
        ...handInAgain(issue, 'Keep the total out of the lines, which --count counts'),
      ],
    },
    ...courseOf(issue, {
      specification: [
        'The report ends with a line Total AMOUNT',
        'Test: the text of the report; everything else stays as it is',
      ],
      plan: ['The total at the end of the report in src/report.js', 'Its test'],
      approval: 'The total is in the text alone, and --count is as it was.',
      lesson: 'The lines of the report are also counted: what is no item does not belong among them.',
    }),
  ],
};
