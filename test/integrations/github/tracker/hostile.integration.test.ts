/**
 * Tests that a hostile value, in any field that the tracker requests from GitHub, affects only its
 * own issue.
 */
import { SCHEMA } from '../../../../simulators/github/graphql/schema.ts';
import type { RewritableNode } from '../../../../simulators/github/model/nodes.ts';
import * as reading from '../../../../src/integrations/github/tracker/documents.ts';
import { fieldsAsked } from '../../../ports/tracker/answer-fields.ts';
import { type HostileBoard, testHostileFields } from '../../../ports/tracker/hostile-fields.ts';
import { LEGION, REPO, simulated, WRITER } from './simulated.ts';

const MALLORY = 'mallory';
/**
 * Numbers of the issue on the board, its parent and its blocker. The latter two are not on the
 * board.
 */
const HOSTILE: readonly number[] = [1, 2, 4];

/** Documents that do not read board issues, each with its purpose. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  MORE_BLOCKED: 'names issues only',
  MADE: 'fragment of the two below',
  SUB_ISSUES: 'finds an issue that Legion created',
  ISSUES_SINCE: 'finds an issue that Legion created',
};

const documents = Object.entries(reading).flatMap(([name, document]) => {
  if (Object.hasOwn(ELSEWHERE, name)) return [];
  if (typeof document === 'function') return [document(1)];
  return typeof document === 'string' ? [document] : [];
});

testHostileFields({
  fields: fieldsAsked({
    schema: SCHEMA,
    documents,
    records: ['Issue', 'ProjectV2Item'],
    shared: ['ProjectV2'],
  }),
  open,
  leaves: ['ProjectV2Item.isArchived'],
  unreported: {
    ...Object.fromEntries(
      ['', '.actor', '.actor.login', '.closer'].map((part) => [
        `Issue.closed.nodes${part === '' ? '' : '[]'}${part}`,
        'only a write reads who closed the issue, and then leaves it closed',
      ]),
    ),
    'Issue.fullDatabaseId': 'only a new dependency needs it, and is then rejected',
    'Issue.comments.nodes[].fullDatabaseId': 'a comment has another id as a fallback',
    'Issue.comments.pageInfo': 'reading the comments rejects',
    'Issue.comments.pageInfo.hasPreviousPage': 'reading the comments rejects',
    'Issue.comments.pageInfo.startCursor': 'reading the comments rejects',
    'Issue.projectItems.pageInfo': 'nothing reads it',
    'Issue.projectItems.pageInfo.hasNextPage': 'nothing reads it',
    'Issue.projectItems.pageInfo.endCursor': 'nothing reads it',
    'ProjectV2Item.status': 'a field of another kind has no option, as if no status were chosen',
    'ProjectV2Item.priority': 'a field of another kind has no option, as if no priority were chosen',
  },
});

async function open(): Promise<HostileBoard> {
  const stage = await simulated();
  const { people, faults } = stage.github;
  people.user(MALLORY);
  people.grant(REPO, MALLORY, 'WRITE');
  const project = stage.board();
  const elsewhere = stage.board();
  people.issue(REPO, { author: MALLORY, title: 'A parent' });
  people.issue(REPO, { author: MALLORY, title: 'A blocker', project: elsewhere, status: 'Todo' });
  people.issue(REPO, { author: WRITER, title: 'Before', body: 'Blocked by #5', project, status: 'Todo' });
  people.issue(REPO, {
    author: MALLORY,
    title: 'Odd',
    body: 'Blocked by #2',
    labels: ['odd'],
    parent: 1,
    project,
    status: 'Todo',
  });
  people.issue(REPO, { author: WRITER, title: 'After', project, status: 'In Progress' });
  people.setField(project, REPO, 4, 'Priority', 'P1');
  for (const number of [3, 4, 5]) people.comment(WRITER, REPO, number, 'A word');
  for (let count = 0; count < 5; count += 1) people.comment(MALLORY, REPO, 4, 'Another word');
  people.closeIssue(WRITER, REPO, 4);
  people.reopenIssue(WRITER, REPO, 4);
  stage.pass(60);

  const isIssue = (node: RewritableNode) => node.type === 'Issue' && HOSTILE.includes(node.number);
  const isItem = (node: RewritableNode) =>
    node.type === 'ProjectV2Item' && isIssue(node.content as RewritableNode);
  return {
    healthy: ['acme-app-3', 'acme-app-5'],
    tracker: () => stage.tracker([project], { accounts: [LEGION] }),
    rewrite: ({ record, path }, change) =>
      faults.rewrite({ matches: record === 'Issue' ? isIssue : isItem, path, change }),
    pass: () => stage.pass(60),
    close: () => stage.close(),
  };
}
