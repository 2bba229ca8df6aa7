/**
 * An issue that is too vague to work on: it goes to the Icebox, is clarified by a person, and comes
 * back.
 */
import { buildPhaseRules, buildSubmitSteps, type DemoStory } from '../story.ts';

const USAGE = `
## Usage

\`\`\`sh
node bin/stockroom.js data/stock.csv          # the whole report
node bin/stockroom.js data/stock.csv --count  # the number of items
\`\`\`

The file has a line of names, \`name,quantity,price\`, and then one item per line.
`;

export const usage: DemoStory = {
  title: 'It is hard to use',
  body: 'I never know what to do with it.',
  labels: ['docs'],
  shows: 'an ambiguous issue: it waits in the Icebox until you clarify it',
  clarification:
    'README.md should explain how to run the command: the report, --count, and what the CSV file looks like. Done when a new colleague can run it with nothing but that page.',
  rules: (issue) => [
    {
      issue,
      phase: 'implement',
      purpose: 'start',
      steps: [
        { append: { path: 'README.md', content: USAGE } },
        { run: ['node', 'bin/stockroom.js', 'data/stock.csv', '--count'] },
        ...buildSubmitSteps(issue, 'Describe how to use the command', ['README.md']),
      ],
    },
    ...buildPhaseRules(issue, {
      specification: [
        'README.md has a Usage section: the report, --count, and the format of the file',
        'Test: every command in it runs',
      ],
      plan: ['The Usage section in README.md', 'Try each of its commands'],
      approval: 'Short, true, and every command in it runs.',
      lesson: 'A question in the Icebox costs less than a wrong guess.',
      note: true,
    }),
  ],
};
