/** Every document of the tracker is one that GitHub would take. */
import { expect, test } from 'vitest';
import { inOneRequest } from '../../../../src/github/in-one-request.ts';
import * as reading from '../../../../src/integrations/github/tracker/documents.ts';
import { CREATE_ISSUE, PUT_ON_BOARD } from '../../../../src/trackers/github/write-documents.ts';
import { testDocuments } from '../client/schema.ts';

/** The mutations that are put together in one request, each with all it may be given. */
const STEPS = [
  { mutation: 'updateProjectV2ItemFieldValue', input: {} },
  { mutation: 'closeIssue', input: {} },
  { mutation: 'reopenIssue', input: {} },
  { mutation: 'removeSubIssue', input: {} },
];

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ...Object.entries(reading).flatMap(([name, document]) => documentsIn(name, document)),
  ['CREATE_ISSUE', CREATE_ISSUE],
  ['PUT_ON_BOARD', PUT_ON_BOARD],
  ['inOneRequest', inOneRequest('LegionWrites', STEPS).document],
];

testDocuments(DOCUMENTS);

test('all that is asked is among them', () => {
  const asked = DOCUMENTS.map(([, document]) => /^\s*(?:query|mutation) (\w+)/.exec(document)?.[1]);
  expect(asked).toEqual(expect.arrayContaining(['BoardPage', 'BoardDigest', 'StatesOf', 'LegionCreates']));
});

/** Fragments are part of others; what is made to measure is made for one, and for some. */
function documentsIn(name: string, document: unknown): readonly (readonly [string, string])[] {
  if (typeof document === 'function')
    return [1, 3].map((count) => [`${name}(${count})`, String(document(count))]);
  if (typeof document !== 'string' || !/^\s*query /.test(document)) return [];
  return [[name, document]];
}
