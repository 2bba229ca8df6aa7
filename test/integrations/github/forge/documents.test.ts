/** Every GraphQL document of the forge is valid against GitHub's schema. */

import { buildMutationRequest } from '../../../../src/integrations/github/client/graphql-answer.ts';
import * as documents from '../../../../src/integrations/github/forge/documents.ts';
import { testDocuments } from '../client/schema.ts';

/** All mutations that can be combined in one request, each with all of its inputs. */
const STEPS = [
  { mutation: 'addPullRequestReview', input: {} },
  { mutation: 'updatePullRequest', input: {} },
  { mutation: 'convertPullRequestToDraft', input: {} },
  { mutation: 'markPullRequestReadyForReview', input: {} },
  { mutation: 'closePullRequest', input: {} },
];

const DOCUMENTS: readonly (readonly [string, string])[] = [
  ...Object.entries(documents).flatMap(([name, each]): [string, string][] =>
    typeof each === 'string' ? [[name, each]] : [],
  ),
  ['in full by branch', documents.buildBranchQuery('Full', 'Full', { branches: 3, links: [], attached: 0 })],
  [
    'in full by branch and issue',
    documents.buildBranchQuery('Full', 'Full', { branches: 3, links: [0, 2], attached: 0 }),
  ],
  ['by number, too', documents.buildBranchQuery('Light', 'Light', { branches: 1, links: [], attached: 2 })],
  ['a digest', documents.buildBranchQuery('Light', 'Light', { branches: 2, links: [1], attached: 1 })],
  ['inOneRequest', buildMutationRequest('All', STEPS).document],
];

testDocuments(DOCUMENTS);
