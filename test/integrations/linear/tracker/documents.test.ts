/** Every document of the tracker is one that Linear would take, by the schema its own SDK publishes. */
import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { linearSchema } from '../../../../simulators/linear/schema/schema.ts';
import * as reading from '../../../../src/integrations/linear/tracker/documents.ts';
import * as writing from '../../../../src/trackers/linear/write-documents.ts';

const { createIssue, createLabels, createRelations, updateIssue } = writing;

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ...[...Object.entries(reading), ...Object.entries(writing)].flatMap(([name, document]) =>
    typeof document === 'string' ? [[name, document] as const] : [],
  ),
  ['issuesInFull', reading.issuesInFull(20, reading.entries(50))],
  ...[0, 1, 3].map((count) => [`createIssue(${count})`, createIssue(count)] as const),
  ...[1, 3].map((count) => [`createRelations(${count})`, createRelations(count)] as const),
  ...[1, 3].map((count) => [`createLabels(${count})`, createLabels(count)] as const),
  ['updateIssue', updateIssue('LegionWrites')],
];

test.each(DOCUMENTS)('%s is valid by Linear’s schema', (_, document) => {
  expect(validate(linearSchema(), parse(document)).map(({ message }) => message)).toEqual([]);
});

test('all that is asked is among them', () => {
  const asked = DOCUMENTS.map(([, document]) => /^\s*(?:query|mutation) (\w+)/.exec(document)?.[1]);
  expect(asked).not.toContain(undefined);
  expect(asked).toEqual(
    expect.arrayContaining(['BoardPage', 'BoardChanges', 'MadeIssue', 'LegionCreates', 'LegionWrites']),
  );
});
