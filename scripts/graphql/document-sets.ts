/**
 * Lists the GraphQL documents of each directory, grouped by the file that contains their result
 * types.
 */
import * as demoGithub from '../../src/cli/commands/setup/demo/github-board.ts';
import * as demoLinear from '../../src/cli/commands/setup/demo/linear-board.ts';
import * as demoMistakes from '../../src/cli/commands/setup/demo/linear-mistakes.ts';
import * as boardSetup from '../../src/cli/github/board.ts';
import * as itemValues from '../../src/cli/github/rewrite-options.ts';
import * as checkAccess from '../../src/integrations/github/client/check-access.ts';
import { ADD_COMMENT } from '../../src/integrations/github/client/marked-comment.ts';
import { VIEWER } from '../../src/integrations/github/client/open.ts';
import { buildPermissionsQuery } from '../../src/integrations/github/client/permissions.ts';
import { buildLabelsQuery } from '../../src/integrations/github/client/repository-labels.ts';
import { FIND_CHECKS } from '../../src/integrations/github/forge/checks.ts';
import * as githubForge from '../../src/integrations/github/forge/documents.ts';
import * as githubTracker from '../../src/integrations/github/tracker/documents.ts';
import * as createMissing from '../../src/integrations/linear/client/create-missing.ts';
import { TEAMS } from '../../src/integrations/linear/client/teams.ts';
import * as linearTracker from '../../src/integrations/linear/tracker/documents.ts';

export interface DocumentSet {
  readonly service: 'github' | 'linear';
  readonly file: string;
  /** The documents. A document whose number of aliases varies is listed with one alias of each kind. */
  readonly documents: readonly string[];
}

const ONE_OF_EACH = { branches: 1, links: [0], attached: 1 };

export const DOCUMENT_SETS: readonly DocumentSet[] = [
  {
    service: 'github',
    file: 'src/integrations/github/generated/client.ts',
    documents: [
      VIEWER,
      ADD_COMMENT,
      buildLabelsQuery(1),
      buildPermissionsQuery(1),
      ...listDocuments(checkAccess),
    ],
  },
  {
    service: 'github',
    file: 'src/integrations/github/generated/forge.ts',
    documents: [
      FIND_CHECKS,
      ...listDocuments(githubForge),
      githubForge.buildBranchQuery('PullRequests', 'Full', ONE_OF_EACH),
      githubForge.buildBranchQuery('PullRequestDigest', 'Light', ONE_OF_EACH),
    ],
  },
  {
    service: 'github',
    file: 'src/integrations/github/generated/tracker.ts',
    documents: [
      ...listDocuments(githubTracker),
      githubTracker.buildBoardDigestQuery(1),
      githubTracker.buildStatesQuery(1),
    ],
  },
  {
    service: 'linear',
    file: 'src/integrations/linear/generated/client.ts',
    documents: [TEAMS, ...listDocuments(createMissing)],
  },
  {
    service: 'linear',
    file: 'src/integrations/linear/generated/tracker.ts',
    documents: [
      ...listDocuments(linearTracker),
      linearTracker.buildIssuesInFullQuery(1, linearTracker.OF_ONE),
      linearTracker.buildUpdateIssueDocument('LegionWrites'),
      linearTracker.buildCreateIssueDocument(1),
      linearTracker.buildCreateRelationsDocument(1),
      linearTracker.buildCreateLabelsDocument(1),
    ],
  },
  {
    service: 'github',
    file: 'src/cli/github/generated/documents.generated.ts',
    documents: [...listDocuments(boardSetup), ...listDocuments(itemValues)],
  },
  {
    service: 'github',
    file: 'src/cli/commands/setup/demo/generated/github-documents.generated.ts',
    documents: listDocuments(demoGithub),
  },
  {
    service: 'linear',
    file: 'src/cli/commands/setup/demo/generated/linear-documents.generated.ts',
    documents: [...listDocuments(demoMistakes), ...listDocuments(demoLinear)],
  },
];

/**
 * Returns every document that a module exports as a string. Fragments are part of the documents
 * that use them.
 */
function listDocuments(module: object): readonly string[] {
  return Object.values(module).filter(
    (value): value is string => typeof value === 'string' && /^\s*(?:query|mutation) /.test(value),
  );
}
