/** Every document of the tracker is one that GitHub would take. */
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import * as reading from '../../../src/trackers/github/read-documents.ts';
import {
  ADD_COMMENT,
  CREATE_ISSUE,
  inOneRequest,
  PUT_ON_BOARD,
} from '../../../src/trackers/github/write-documents.ts';

const SCHEMA = new URL('../../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url);

/** The mutations that are put together in one request, each with all it may be given. */
const STEPS = [
  { mutation: 'addLabelsToLabelable', input: { labelableId: 'I', labelIds: ['L'] } },
  { mutation: 'removeLabelsFromLabelable', input: { labelableId: 'I', labelIds: ['L'] } },
  { mutation: 'updateProjectV2ItemFieldValue', input: {} },
  { mutation: 'closeIssue', input: {} },
  { mutation: 'reopenIssue', input: {} },
  { mutation: 'createLabel', input: {} },
  { mutation: 'deleteIssueComment', input: {} },
  { mutation: 'removeSubIssue', input: {} },
];

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ...Object.entries(reading).flatMap(([name, document]) => documentsIn(name, document)),
  ['ADD_COMMENT', ADD_COMMENT],
  ['CREATE_ISSUE', CREATE_ISSUE],
  ['PUT_ON_BOARD', PUT_ON_BOARD],
  ['inOneRequest', inOneRequest('LegionWrites', STEPS).document],
];

let schema: ReturnType<typeof buildSchema>;
beforeAll(() => {
  schema = buildSchema(readFileSync(SCHEMA, 'utf8'), { assumeValid: true });
});

test.each(DOCUMENTS)('%s is valid by GitHub’s schema', (_, document) => {
  expect(validate(schema, parse(document)).map(({ message }) => message)).toEqual([]);
});

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
