/** Hostile values in every field of an issue of Linear's and its comments: the board is read, and only their own issue is affected. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LinearNode } from '../../../simulators/linear/model/nodes.ts';
import {
  expectPlain,
  expectSane,
  expectSaneComments,
  HOSTILE_TEXTS,
  HOSTILE_TIMES,
} from '../hostile-values.ts';
import { SIGNAL } from '../issues.ts';
import { type Simulated, simulated, WRITER } from './simulated.ts';

const HOSTILE = 'ENG-2';
const MALLORY = 'mallory';
const ADDRESS = 'https://github.com/acme/app/pull/7';

let stage: Simulated;
let team: string;

beforeAll(async () => {
  stage = await simulated();
  const { people } = stage.linear;
  people.user(MALLORY);
  team = stage.team('ENG');
  people.label({ name: 'odd', team: 'ENG' });
  people.project('Odd project', ['ENG']);
  people.issue('ENG', { creator: WRITER, title: 'Before', state: 'Todo' });
  people.issue('ENG', {
    creator: MALLORY,
    title: 'Odd',
    description: 'Text',
    state: 'Todo',
    labels: ['odd'],
    project: 'Odd project',
    parent: 'ENG-1',
  });
  people.issue('ENG', { creator: WRITER, title: 'After', state: 'In Progress' });
  people.assign(WRITER, HOSTILE, MALLORY);
  people.block('ENG-3', 'ENG-1');
  people.attach(HOSTILE, { url: ADDRESS });
  for (const issue of ['ENG-1', HOSTILE, 'ENG-3'] as const) people.comment(WRITER, issue, 'A word');
  people.comment(MALLORY, HOSTILE, 'Another word');
  stage.pass(120);
});
afterAll(() => stage.close());

type Matches = (node: LinearNode) => boolean;
const isIssue: Matches = (node) => node.node === 'Issue' && node.number === 2;
const isComment: Matches = (node) => node.node === 'Comment' && node.user?.name === MALLORY;
const isLabel: Matches = (node) => node.node === 'IssueLabel' && node.name === 'odd';
const isAuthor: Matches = (node) => node.node === 'User' && node.name === MALLORY;
const isProject: Matches = (node) => node.node === 'Project';
const isAttachment: Matches = (node) => node.node === 'Attachment';

type Field = readonly [where: string, matches: Matches, field: string];

const TEXTS: readonly Field[] = [
  ['the title', isIssue, 'title'],
  ['the description', isIssue, 'description'],
  ['the identifier', isIssue, 'identifier'],
  ['a label', isLabel, 'name'],
  ['the author’s name', isAuthor, 'name'],
  ['the author’s display name', isAuthor, 'displayName'],
  ['the author’s address', isAuthor, 'email'],
  ['the project', isProject, 'name'],
  ['an attachment', isAttachment, 'url'],
  ['a comment', isComment, 'body'],
];
const TIMES: readonly Field[] = [
  ['createdAt', isIssue, 'createdAt'],
  ['updatedAt', isIssue, 'updatedAt'],
  ['startedAt', isIssue, 'startedAt'],
  ['a comment’s createdAt', isComment, 'createdAt'],
  ['a comment’s updatedAt', isComment, 'updatedAt'],
];
const NULLS: readonly Field[] = [
  ['the description', isIssue, 'description'],
  ['the creator', isIssue, 'creator'],
  ['the parent', isIssue, 'parent'],
  ['the project', isIssue, 'project'],
  ['the assignee', isIssue, 'assignee'],
  ['the user of a comment', isComment, 'user'],
];
const PRIORITIES = { 'a fraction': 2.5, 'a negative number': -1, 'a huge number': 1e300 };

const CASES: readonly (readonly [string, Field, (value: unknown) => unknown])[] = [
  ...TEXTS.flatMap((field) => valuesFor(field, HOSTILE_TEXTS)),
  ...TIMES.flatMap((field) => valuesFor(field, HOSTILE_TIMES)),
  ...valuesFor(['the priority', isIssue, 'priority'], PRIORITIES),
  ...valuesFor(['an attachment', isAttachment, 'url'], {
    'a number beyond 32 bits': 'https://github.com/acme/app/pull/9999999999',
  }),
  ...NULLS.map((field) => [`null in ${field[0]}`, field, () => null] as const),
];

function valuesFor(field: Field, values: Readonly<Record<string, unknown>>) {
  return Object.entries(values).map(
    ([what, value]) => [`${what} in ${field[0]}`, field, () => value] as const,
  );
}

test.each(CASES)('%s affects only its own issue', async (_, [, matches, field], answer) => {
  const others = await listOthers();
  const end = stage.linear.faults.field(matches, field, answer);
  try {
    const legion = await stage.tracker(team);
    // Twice, because the second look asks only for changes.
    for (const look of ['whole', 'changes']) {
      const issues = await legion.list(SIGNAL);
      expect(
        issues.filter(({ id }) => !isHostile(id)),
        look,
      ).toEqual(others);
      const hostile = issues.find(({ id }) => isHostile(id));
      if (hostile === undefined) expect([look, ...legion.troubles()].length).toBeGreaterThan(1);
      else {
        expectSane(hostile);
        for (const text of [hostile.project ?? '', hostile.assignee ?? '', ...(hostile.links ?? [])])
          expectPlain(text);
        expectSaneComments(await legion.commentsSince(hostile.id, 0, SIGNAL).catch(() => []));
        const read = await legion.read(hostile.id, SIGNAL);
        if (read !== undefined) expectSane(read);
      }
    }
    expect(await legion.commentsSince('ENG-3', 0, SIGNAL)).toHaveLength(1);
  } finally {
    end();
  }
});

test('an attachment whose number no pull request can have is named on the issue', async () => {
  const url = 'https://github.com/acme/app/pull/9999999999';
  const end = stage.linear.faults.field(isAttachment, 'url', () => url);
  const legion = await stage.tracker(team);
  const odd = (await legion.list(SIGNAL)).find(({ id }) => id === HOSTILE);
  expect(odd?.problems).toEqual([
    { text: expect.stringContaining(`The attachment ${url} names no pull request`), holds: false },
  ]);
  end();
});

let known: readonly unknown[] | undefined;

async function listOthers(): Promise<readonly unknown[]> {
  const list = async () =>
    (await (await stage.tracker(team)).list(SIGNAL)).filter(({ id }) => !isHostile(id));
  known ??= await list();
  expect(known).toHaveLength(2);
  return known;
}

function isHostile(id: string): boolean {
  return !['ENG-1', 'ENG-3'].includes(id);
}
