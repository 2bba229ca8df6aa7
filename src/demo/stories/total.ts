/**
 * An issue whose first attempt breaks something else: the tester finds the mistake, and the issue
 * goes back to the implementer.
 */

import { EVERY_LINE, LINES_ONLY } from '../project.ts';
import { buildPhaseRules, buildResubmitSteps, buildSubmitSteps, type DemoStory } from '../story.ts';

const IMPORT = `import { formatCents } from './money.js';
`;

/** Wrong solution: it adds the total as a line, so the total is counted as an item. */
const TOTAL_AS_A_LINE = `  return [...items.map(toLine), 'Total ' + formatCents(totalCents(items))];
`;

const TOTAL_IN_THE_TEXT = `export function reportText(items) {
  const total = 'Total ' + formatCents(totalCents(items));
  return [...reportLines(items), total].map((line) => line + '\\n').join('');
}
`;

const TEST = `
test('ends with the value of all items', () => {
  assert.match(reportText([HAMMERS]), /\\nTotal 222\\.00\\n$/);
});
`;

export const total: DemoStory = {
  title: 'End the report with what the stock is worth',
  body: `The report from src/report.js lists every item, but readers have to add up the prices themselves.

Acceptance criteria:
- [ ] the last line of the report is \`Total\` and the value of all items`,
  labels: ['chore'],
  shows: 'a first attempt that fails the acceptance tests and is fixed',
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
        ...buildSubmitSteps(issue, 'End the report with a total', ['src/report.js', 'test/report.test.js']),
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
        ...buildResubmitSteps(issue, 'Keep the total out of the lines, which --count counts'),
      ],
    },
    ...buildPhaseRules(issue, {
      specification: [
        'The report ends with the line "Total AMOUNT"',
        'Test: the text of the report; everything else stays as it is',
      ],
      plan: ['The total at the end of the report in src/report.js', 'Its test'],
      approval: 'The total appears only in the text, and --count is unchanged.',
      lesson: 'The lines of the report are also counted, so only items belong among them.',
    }),
  ],
};
