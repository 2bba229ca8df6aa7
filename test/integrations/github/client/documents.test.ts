/** Tests that the documents that tracker and forge share are valid against GitHub's schema. */

import { buildMutationRequest } from '../../../../src/integrations/github/client/graphql-answer.ts';
import { ADD_COMMENT } from '../../../../src/integrations/github/client/marked-comment.ts';
import { buildPermissionsQuery } from '../../../../src/integrations/github/client/permissions.ts';
import { buildLabelsQuery } from '../../../../src/integrations/github/client/repository-labels.ts';
import { testDocuments } from './schema.ts';

const STEPS = [
  { mutation: 'createLabel', input: {} },
  { mutation: 'addLabelsToLabelable', input: {} },
  { mutation: 'removeLabelsFromLabelable', input: {} },
  { mutation: 'deleteIssueComment', input: {} },
  { mutation: 'updateIssueComment', input: {} },
];

testDocuments([
  ['a comment', ADD_COMMENT],
  ['several changes', buildMutationRequest('All', STEPS).document],
  ...[1, 3].flatMap((count): [string, string][] => [
    [`permissions of ${count}`, buildPermissionsQuery(count)],
    [`${count} labels`, buildLabelsQuery(count)],
  ]),
]);
