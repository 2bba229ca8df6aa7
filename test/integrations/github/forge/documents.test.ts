/** Every document of the forge is one that GitHub would take. */

import * as writing from '../../../../src/forges/github/write-documents.ts';
import { inOneRequest } from '../../../../src/github/in-one-request.ts';
import * as reading from '../../../../src/integrations/github/forge/documents.ts';
import { testDocuments } from '../client/schema.ts';

/** The mutations that are put together in one request, each with all it is given. */
const STEPS = [
  { mutation: 'addPullRequestReview', input: {} },
  { mutation: 'updatePullRequest', input: {} },
  { mutation: 'convertPullRequestToDraft', input: {} },
  { mutation: 'markPullRequestReadyForReview', input: {} },
  { mutation: 'closePullRequest', input: {} },
];

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ...Object.entries({ ...reading, ...writing }).flatMap(([name, each]): [string, string][] =>
    typeof each === 'string' ? [[name, each]] : [],
  ),
  ['in full by branch', reading.byBranch('Full', 'Full', { branches: 3, links: [], attached: 0 })],
  [
    'in full by branch and issue',
    reading.byBranch('Full', 'Full', { branches: 3, links: [0, 2], attached: 0 }),
  ],
  ['by number, too', reading.byBranch('Light', 'Light', { branches: 1, links: [], attached: 2 })],
  ['a digest', reading.byBranch('Light', 'Light', { branches: 2, links: [1], attached: 1 })],
  ['inOneRequest', inOneRequest('All', STEPS).document],
];

testDocuments(DOCUMENTS);
