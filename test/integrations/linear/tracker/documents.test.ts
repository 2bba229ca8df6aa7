/** Validates every GraphQL document of the tracker against the schema of Linear's SDK. */
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { loadLinearSchema } from '../../../../simulators/linear/schema/schema.ts';
import * as reading from '../../../../src/integrations/linear/tracker/documents.ts';
import * as buildUpdateIssueDocument from '../../../../src/integrations/linear/tracker/documents.ts';

const {
  buildCreateIssueDocument: createIssue,
  buildCreateLabelsDocument: createLabels,
  buildCreateRelationsDocument: createRelations,
  buildUpdateIssueDocument: updateIssue,
} = buildUpdateIssueDocument;

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ...[...Object.entries(reading), ...Object.entries(buildUpdateIssueDocument)].flatMap(([name, document]) =>
    typeof document === 'string' ? [[name, document] as const] : [],
  ),
  ['issuesInFull', reading.buildIssuesInFullQuery(20, reading.createNestedCounts(50))],
  ...[0, 1, 3].map((count) => [`createIssue(${count})`, createIssue(count)] as const),
  ...[1, 3].map((count) => [`createRelations(${count})`, createRelations(count)] as const),
  ...[1, 3].map((count) => [`createLabels(${count})`, createLabels(count)] as const),
  ['updateIssue', updateIssue('LegionWrites')],
];

test.each(DOCUMENTS)('%s is valid against Linear’s schema', (_, document) => {
  expect(validate(loadLinearSchema(), parse(document)).map(({ message }) => message)).toEqual([]);
});

test('the validated documents include the main queries and mutations', () => {
  const asked = DOCUMENTS.map(([, document]) => /^\s*(?:query|mutation) (\w+)/.exec(document)?.[1]);
  expect(asked).not.toContain(undefined);
  expect(asked).toEqual(
    expect.arrayContaining(['BoardPage', 'BoardChanges', 'MadeIssue', 'LegionCreates', 'LegionWrites']),
  );
});
