/** What tracker and forge both ask is what GitHub would take. */

import { inOneRequest } from '../../../../src/github/in-one-request.ts';
import { permissionsOf } from '../../../../src/github/permissions.ts';
import { labelsNamed } from '../../../../src/github/repository-labels.ts';
import { ADD_COMMENT } from '../../../../src/integrations/github/client/marked-comment.ts';
import { testDocuments } from './schema.ts';

const STEPS = [
  { mutation: 'createLabel', input: {} },
  { mutation: 'addLabelsToLabelable', input: {} },
  { mutation: 'removeLabelsFromLabelable', input: {} },
  { mutation: 'deleteIssueComment', input: {} },
];

testDocuments([
  ['a comment', ADD_COMMENT],
  ['several changes', inOneRequest('All', STEPS).document],
  ...[1, 3].flatMap((count): [string, string][] => [
    [`permissions of ${count}`, permissionsOf(count)],
    [`${count} labels`, labelsNamed(count)],
  ]),
]);
