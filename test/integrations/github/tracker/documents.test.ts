/** Validates every GraphQL document of the tracker against GitHub's schema. */
import { expect, test } from 'vitest';
import { buildMutationRequest } from '../../../../src/integrations/github/client/graphql-answer.ts';
import * as reading from '../../../../src/integrations/github/tracker/documents.ts';
import { CREATE_ISSUE, PUT_ON_BOARD } from '../../../../src/integrations/github/tracker/documents.ts';
import { testDocuments } from '../client/schema.ts';

/** The mutations that can be combined in one request, each with all possible arguments. */
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
  ['inOneRequest', buildMutationRequest('LegionWrites', STEPS).document],
];

testDocuments(DOCUMENTS);

test('the validated documents include the main queries and mutations', () => {
  const asked = DOCUMENTS.map(([, document]) => /^\s*(?:query|mutation) (\w+)/.exec(document)?.[1]);
  expect(asked).toEqual(expect.arrayContaining(['BoardPage', 'BoardDigest', 'StatesOf', 'LegionCreates']));
});

/**
 * Lists the documents to validate. Skips fragments, because they are part of other documents.
 * Builds generated documents for one entry and for several.
 */
function documentsIn(name: string, document: unknown): readonly (readonly [string, string])[] {
  if (typeof document === 'function')
    return [1, 3].map((count) => [`${name}(${count})`, String(document(count))]);
  if (typeof document !== 'string' || !/^\s*query /.test(document)) return [];
  return [[name, document]];
}
