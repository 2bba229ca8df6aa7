/** An issue nobody can work on as it is: it goes to the Icebox, is clarified by a person, and comes back. */
import { courseOf, handIn } from '../course.ts';
import type { Story } from '../story.ts';

const USAGE = `
## Usage

\`\`\`sh
node bin/stockroom.js data/stock.csv          # the whole report
node bin/stockroom.js data/stock.csv --count  # how many items there are
\`\`\`

The file has a line of names, \`name,quantity,price\`, and then an item a line.
`;

export const usage: Story = {
  title: 'It is hard to use',
  body: 'I never know what to do with it.',
  labels: ['docs'],
  shows: 'an ambiguous issue: it waits in the Icebox until you clarify it',
  clarification:
    'README.md should say how the command is called: the report, --count, and what the CSV file looks like. Done when a new colleague can run it with nothing but that page.',
  rules: (issue) => [
    {
      issue,
      phase: 'implement',
      purpose: 'start',
      steps: [
        { append: { path: 'README.md', content: USAGE } },
        { run: ['node', 'bin/stockroom.js', 'data/stock.csv', '--count'] },
        ...handIn(issue, 'Say how the command is used', ['README.md']),
      ],
    },
    ...courseOf(issue, {
      specification: [
        'README.md has a section Usage: the report, --count, the form of the file',
        'Test: every command in it runs',
      ],
      plan: ['The section Usage in README.md', 'Try each of its commands'],
      approval: 'Short, true, and every command in it runs.',
      lesson: 'A question in the Icebox costs less than a wrong guess.',
      note: true,
    }),
  ],
};
