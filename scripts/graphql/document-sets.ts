/** The GraphQL documents of each folder, by the file that holds the types of their answers. */

import * as demoTeam from '../../src/cli/commands/demo/linear-team.ts';
import * as demoLinear from '../../src/cli/commands/demo/linear-writing.ts';
import * as demoGithub from '../../src/cli/commands/setup/demo/github-board.ts';
import * as demoComplaints from '../../src/cli/commands/setup/demo/linear-mistakes.ts';
import * as boardSetup from '../../src/cli/github/board.ts';
import * as itemValues from '../../src/cli/github/item-values.ts';
import { FIND_CHECKS } from '../../src/forges/github/find-checks.ts';
import * as forgeWrites from '../../src/forges/github/write-documents.ts';
import * as checkAccess from '../../src/github/check-access.ts';
import * as checkRepository from '../../src/github/check-repository.ts';
import { VIEWER } from '../../src/github/open.ts';
import { permissionsOf } from '../../src/github/permissions.ts';
import { labelsNamed } from '../../src/github/repository-labels.ts';
import { ADD_COMMENT } from '../../src/integrations/github/client/marked-comment.ts';
import * as forgeReads from '../../src/integrations/github/forge/documents.ts';
import * as githubReads from '../../src/integrations/github/tracker/documents.ts';
import { TEAMS } from '../../src/integrations/linear/client/teams.ts';
import * as linearReads from '../../src/integrations/linear/tracker/documents.ts';
import * as createMissing from '../../src/linear/create-missing.ts';
import * as githubWrites from '../../src/trackers/github/write-documents.ts';
import * as linearWrites from '../../src/trackers/linear/write-documents.ts';

export interface DocumentSet {
  readonly service: 'github' | 'linear';
  readonly file: string;
  /** A document with a varying number of aliases is here with one of each. */
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
      labelsNamed(1),
      permissionsOf(1),
      ...documentsIn(checkAccess),
      ...documentsIn(checkRepository),
    ],
  },
  {
    service: 'github',
    file: 'src/integrations/github/generated/forge.ts',
    documents: [
      FIND_CHECKS,
      ...documentsIn(forgeReads),
      forgeReads.byBranch('PullRequests', 'Full', ONE_OF_EACH),
      forgeReads.byBranch('PullRequestDigest', 'Light', ONE_OF_EACH),
      ...documentsIn(forgeWrites),
    ],
  },
  {
    service: 'github',
    file: 'src/integrations/github/generated/tracker.ts',
    documents: [
      ...documentsIn(githubReads),
      githubReads.boardDigest(1),
      githubReads.statesOf(1),
      ...documentsIn(githubWrites),
    ],
  },
  {
    service: 'linear',
    file: 'src/integrations/linear/generated/client.ts',
    documents: [TEAMS, ...documentsIn(createMissing)],
  },
  {
    service: 'linear',
    file: 'src/integrations/linear/generated/tracker.ts',
    documents: [
      ...documentsIn(linearReads),
      linearReads.issuesInFull(1, linearReads.OF_ONE),
      ...documentsIn(linearWrites),
      linearWrites.updateIssue('LegionWrites'),
      linearWrites.createIssue(1),
      linearWrites.createRelations(1),
      linearWrites.createLabels(1),
    ],
  },
  {
    service: 'github',
    file: 'src/cli/github/generated/documents.generated.ts',
    documents: [...documentsIn(boardSetup), ...documentsIn(itemValues)],
  },
  {
    service: 'github',
    file: 'src/cli/commands/setup/demo/generated/github-documents.generated.ts',
    documents: documentsIn(demoGithub),
  },
  {
    service: 'linear',
    file: 'src/cli/commands/setup/demo/generated/linear-documents.generated.ts',
    documents: [...documentsIn(demoComplaints), ...documentsIn(demoTeam), ...documentsIn(demoLinear)],
  },
];

/** Every document that a module exports as a text; a fragment comes with the documents that use it. */
function documentsIn(module: object): readonly string[] {
  return Object.values(module).filter(
    (value): value is string => typeof value === 'string' && /^\s*(?:query|mutation) /.test(value),
  );
}
