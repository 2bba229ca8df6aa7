/**
 * Tests that a hostile value, in any field that the tracker requests from Linear, affects only its
 * own issue.
 */
import { expect, test } from 'vitest';
import type { LinearNode } from '../../../../simulators/linear/model/nodes.ts';
import { loadLinearSchema } from '../../../../simulators/linear/schema/schema.ts';
import * as reading from '../../../../src/integrations/linear/tracker/documents.ts';
import { fieldsAsked } from '../../../ports/tracker/answer-fields.ts';
import { type HostileBoard, testHostileFields } from '../../../ports/tracker/hostile-fields.ts';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { simulated, WRITER } from './simulated.ts';

const MALLORY = 'mallory';
/** The hostile issue on the board. Its parent and blocker in another team are hostile as well. */
const HOSTILE = 'ENG-2';

/** Documents that do not read board issues, each with its purpose. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  MADE_ISSUE: 'finds an issue that Legion created',
  MADE_COMMENT: 'finds a comment that Legion created',
  LABELS_NAMED: 'reads labels of the team',
};

const documents = [
  ...Object.entries(reading).flatMap(([name, document]) =>
    typeof document === 'string' && !Object.hasOwn(ELSEWHERE, name) ? [document] : [],
  ),
  reading.buildIssuesInFullQuery(1, reading.OF_ONE),
];

const fields = fieldsAsked({
  schema: loadLinearSchema(),
  documents,
  records: ['Issue', 'IssueRelation', 'Attachment', 'Comment'],
  shared: [],
});

testHostileFields({
  fields,
  open,
  leaves: ['Issue.trashed', 'Issue.archivedAt', 'Issue.team.id'],
  unreached: {
    'Comment.issue': 'only a new comment is requested with its issue; see below',
    ...Object.fromEntries(
      ['', '.hasNextPage', '.endCursor'].map((part) => [
        `Issue.inverseRelations.pageInfo${part}`,
        'only an issue with 250 blockers has pages of them',
      ]),
    ),
  },
  unreported: {
    'IssueRelation.updatedAt': 'the relation is then read with its issue',
    'IssueRelation.relatedIssue': 'the relation is then read with its issue',
    'Attachment.issue': 'the attachment is later read with its issue',
    ...Object.fromEntries(
      fields
        .filter(({ record, path }) => record === 'Comment' || path.startsWith('comments.pageInfo'))
        .map(({ record, path }) => [`${record}.${path}`, 'the comments are read after the list']),
    ),
    'Issue.comments': 'the comments are read after the list',
    'Issue.comments.nodes': 'the comments are read after the list',
  },
});

const ofNode: Readonly<Record<string, (node: LinearNode) => boolean>> = {
  Issue: (node) => node.node === 'Issue' && (node.title === 'Odd' || node.team.key === 'OPS'),
  IssueRelation: (node) => node.node === 'IssueRelation' && node.related.title === 'Odd',
  Attachment: (node) => node.node === 'Attachment' && node.issue.title === 'Odd',
  Comment: isMallorys,
};

function isMallorys(node: LinearNode): boolean {
  return node.node === 'Comment' && node.user?.name === MALLORY;
}

test('omits a malformed comment, and reports it on the issue in the next pass', async () => {
  const { linear, tracker, team, pass, close } = await stageHostile();
  const end = linear.faults.rewrite({ matches: isMallorys, path: 'body', change: () => 5 });
  const legion = await tracker(team);
  await legion.list(SIGNAL);
  expect(await legion.commentsSince(HOSTILE, 0, SIGNAL)).toHaveLength(1);
  const problemsOfEach = async () => (await legion.list(SIGNAL)).map(({ problems }) => problems);
  const text =
    'A comment on this issue is malformed and was left out: comment.body: expected string, got number 5.';
  expect(await problemsOfEach()).toEqual([
    undefined,
    [{ text: expect.stringContaining(text), holds: false }],
    undefined,
  ]);
  end();
  pass(60);
  expect(await legion.commentsSince(HOSTILE, 0, SIGNAL)).toHaveLength(2);
  expect(await problemsOfEach()).toEqual([undefined, undefined, undefined]);
  await close();
});

test('still returns other comments if the issue of a new comment cannot be read', async () => {
  const { linear, tracker, team, pass, close } = await stageHostile();
  const legion = await tracker(team);
  for (const value of [null, 5, {}, { id: 5 }, { id: '__proto__' }]) {
    await legion.list(SIGNAL);
    const before = await legion.commentsSince('ENG-3', 0, SIGNAL);
    const end = linear.faults.rewrite({ matches: isMallorys, path: 'issue', change: () => value });
    pass(1);
    linear.people.comment(MALLORY, HOSTILE, 'New');
    linear.people.comment(WRITER, 'ENG-3', 'New');
    expect(await legion.list(SIGNAL), JSON.stringify(value)).toHaveLength(3);
    expect(await legion.commentsSince('ENG-3', 0, SIGNAL)).toHaveLength(before.length + 1);
    end();
  }
  await close();
});

async function open(): Promise<HostileBoard> {
  const { linear, team, tracker, pass, close } = await stageHostile();
  return {
    healthy: ['ENG-1', 'ENG-3'],
    tracker: () => tracker(team),
    rewrite: ({ record, path }, change) =>
      linear.faults.rewrite({ matches: ofNode[record] ?? (() => false), path, change }),
    pass: () => pass(60),
    close,
  };
}

async function stageHostile() {
  const stage = await simulated();
  const { people } = stage.linear;
  people.user(MALLORY);
  const team = stage.team('ENG');
  stage.team('OPS');
  people.label({ name: 'odd', team: 'ENG' });
  people.project('Odd project', ['ENG']);
  people.issue('OPS', { creator: MALLORY, title: 'A parent', state: 'Todo' });
  people.issue('OPS', { creator: MALLORY, title: 'A blocker', state: 'Todo' });
  people.issue('ENG', { creator: WRITER, title: 'Before', state: 'Todo' });
  people.issue('ENG', {
    creator: MALLORY,
    title: 'Odd',
    description: 'Text',
    state: 'Todo',
    labels: ['odd'],
    project: 'Odd project',
    parent: 'OPS-1',
  });
  people.issue('ENG', { creator: WRITER, title: 'After', state: 'In Progress' });
  people.assign(WRITER, HOSTILE, MALLORY);
  people.block('ENG-1', 'ENG-3');
  people.block(HOSTILE, 'OPS-2');
  people.attach(HOSTILE, { url: 'https://github.com/acme/app/pull/7' });
  for (const issue of ['ENG-1', HOSTILE, 'ENG-3'] as const) people.comment(WRITER, issue, 'A word');
  people.comment(MALLORY, HOSTILE, 'Another word');
  stage.pass(120);
  return { ...stage, team };
}

test('if an attachment has an impossible pull request number, reports it on the issue', async () => {
  const { linear, tracker, team, close } = await stageHostile();
  const url = 'https://github.com/acme/app/pull/9999999999';
  linear.faults.field(
    (node) => node.node === 'Attachment',
    'url',
    () => url,
  );
  const odd = (await (await tracker(team)).list(SIGNAL)).find(({ id }) => id === HOSTILE);
  expect(odd?.problems).toEqual([
    { text: expect.stringContaining(`The attachment ${url} is not a valid pull request link`), holds: false },
  ]);
  await close();
});
