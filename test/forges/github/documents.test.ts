/** Every document of the forge is one that GitHub would take. */
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import * as reading from '../../../src/forges/github/read-documents.ts';
import * as writing from '../../../src/forges/github/write-documents.ts';

const SCHEMA = new URL('../../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url);

/** The mutations that are put together in one request, each with all it is given. */
const STEPS = [
  { mutation: 'addPullRequestReview', input: {} },
  { mutation: 'addLabelsToLabelable', input: {} },
  { mutation: 'removeLabelsFromLabelable', input: {} },
  { mutation: 'createLabel', input: {} },
  { mutation: 'addComment', input: {} },
  { mutation: 'updatePullRequest', input: {} },
  { mutation: 'convertPullRequestToDraft', input: {} },
  { mutation: 'markPullRequestReadyForReview', input: {} },
  { mutation: 'closePullRequest', input: {} },
];

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ...Object.entries({ ...reading, ...writing }).flatMap(([name, each]): [string, string][] =>
    typeof each === 'string' ? [[name, each]] : [],
  ),
  ['in full by branch', reading.byBranch('Full', 'Full', 3, [])],
  ['in full by branch and issue', reading.byBranch('Full', 'Full', 3, [0, 2])],
  ['a digest', reading.byBranch('Light', 'Light', 2, [1])],
  ['labelsNamed', writing.labelsNamed(2)],
  ['permissionsOf', writing.permissionsOf(2)],
  ['inOneRequest', writing.inOneRequest('All', STEPS).document],
];

let schema: ReturnType<typeof buildSchema>;
beforeAll(() => {
  schema = buildSchema(readFileSync(SCHEMA, 'utf8'), { assumeValid: true });
});

test.each(DOCUMENTS)('%s is valid by GitHub’s schema', (_, document) => {
  expect(validate(schema, parse(document)).map(({ message }) => message)).toEqual([]);
});
