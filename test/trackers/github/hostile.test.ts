/** Hostile values in every field of an issue and its comments: the board is read, and only their own issue is affected. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Shape } from '../../../simulators/github/graphql/shape.ts';
import type { GithubNode } from '../../../simulators/github/model/nodes.ts';
import type { ProjectName } from '../../../simulators/github/simulator.ts';
import {
  expectSane,
  expectSaneComments,
  HOSTILE_NUMBERS,
  HOSTILE_TEXTS,
  HOSTILE_TIMES,
} from '../hostile-values.ts';
import { SIGNAL } from '../issues.ts';
import { LEGION, REPO, type Simulated, simulated, WRITER } from './simulated.ts';

const HOSTILE = 2;
const MALLORY = 'mallory';

let stage: Simulated;
let project: ProjectName;

beforeAll(async () => {
  stage = await simulated();
  const { people } = stage.github;
  people.user(MALLORY);
  people.grant(REPO, MALLORY, 'WRITE');
  project = stage.board();
  const labels = ['odd'];
  people.issue(REPO, { author: WRITER, title: 'Before', body: 'Blocked by #3', project, status: 'Todo' });
  people.issue(REPO, {
    author: MALLORY,
    title: 'Odd',
    body: 'Text',
    labels,
    parent: 1,
    project,
    status: 'Todo',
  });
  people.issue(REPO, { author: WRITER, title: 'After', project, status: 'In Progress' });
  for (const number of [1, HOSTILE, 3]) people.comment(WRITER, REPO, number, 'A word');
  people.comment(MALLORY, REPO, HOSTILE, 'Another word');
  people.closeIssue(WRITER, REPO, HOSTILE);
  people.reopenIssue(WRITER, REPO, HOSTILE);
  stage.pass(60);
});
afterAll(() => stage.close());

const isIssue = (node: GithubNode) => node.type === 'Issue' && node.number === HOSTILE;
const isComment = (node: GithubNode) => node.type === 'IssueComment' && node.author.login === MALLORY;
const isLabel = (node: GithubNode) => node.type === 'Label' && node.name === 'odd';
const isAuthor = (node: GithubNode) => node.type === 'User' && node.login === MALLORY;
const isItem = (node: GithubNode) => node.type === 'ProjectV2Item' && isIssue(node.content as GithubNode);
const isChoice = (node: GithubNode) =>
  node.type === 'ProjectV2ItemFieldSingleSelectValue' && isItem(node.item);

type Field = readonly [where: string, matches: (node: GithubNode) => boolean, field: string];

const TEXTS: readonly Field[] = [
  ['the title', isIssue, 'title'],
  ['the body', isIssue, 'body'],
  ['a label', isLabel, 'name'],
  ['the author’s login', isAuthor, 'login'],
  ['a comment', isComment, 'body'],
];
const TIMES: readonly Field[] = [
  ['createdAt', isIssue, 'createdAt'],
  ['updatedAt', isIssue, 'updatedAt'],
  ['closedAt', isIssue, 'closedAt'],
  ['a comment’s createdAt', isComment, 'createdAt'],
  ['the item’s createdAt', isItem, 'createdAt'],
  ['the column’s updatedAt', isChoice, 'updatedAt'],
];
const NULLS: readonly Field[] = [
  ['author', isIssue, 'author'],
  ['labels', isIssue, 'labels'],
  ['parent', isIssue, 'parent'],
  ['closedAt', isIssue, 'closedAt'],
  ['a comment’s author', isComment, 'author'],
  ['a comment’s number', isComment, 'fullDatabaseId'],
  ['the column', isChoice, 'optionId'],
  ['the content of the item', isItem, 'content'],
];
/** GitHub's schema allows lists, and entries of lists, to be null. */
const LISTS: readonly Field[] = [
  ['labels', isIssue, 'labels'],
  ['comments', isIssue, 'comments'],
  ['timeline', isIssue, 'timelineItems'],
];

const CASES: readonly (readonly [string, Field, (value: unknown) => unknown])[] = [
  ...TEXTS.flatMap((field) => valuesFor(field, HOSTILE_TEXTS)),
  ...TIMES.flatMap((field) => valuesFor(field, HOSTILE_TIMES)),
  ...valuesFor(['the number', isIssue, 'number'], HOSTILE_NUMBERS),
  ...NULLS.map((field) => [`null in ${field[0]}`, field, () => null] as const),
  ...LISTS.flatMap((field) => [
    [`no entries in ${field[0]}`, field, withNodes(() => null)] as const,
    [`a null among ${field[0]}`, field, withNodes((nodes) => [null, ...nodes, null])] as const,
  ]),
];

function valuesFor(field: Field, values: Readonly<Record<string, unknown>>) {
  return Object.entries(values).map(
    ([what, value]) => [`${what} in ${field[0]}`, field, () => value] as const,
  );
}

function withNodes(change: (nodes: readonly unknown[]) => unknown): (value: unknown) => unknown {
  return (value) => {
    const { type, fields } = value as Shape;
    return new Shape(type, { ...fields, nodes: change(Reflect.get(fields, 'nodes') as readonly unknown[]) });
  };
}

test.each(CASES)('%s affects only its own issue', async (_, [, matches, field], answer) => {
  const others = await listOthers();
  const end = stage.github.faults.field(matches, field, answer);
  try {
    const legion = await stage.tracker([project], { accounts: [LEGION] });
    // Twice, because the second look is a digest.
    for (const look of ['whole', 'digest']) {
      const issues = await legion.list(SIGNAL);
      expect(
        issues.filter(({ id }) => !isHostile(id)),
        look,
      ).toEqual(others);
      const hostile = issues.find(({ id }) => isHostile(id));
      if (hostile === undefined) expect([look, ...legion.troubles()].length).toBeGreaterThan(1);
      else {
        expectSane(hostile);
        expectSaneComments(await legion.commentsSince(hostile.id, 0, SIGNAL));
        const read = await legion.read(hostile.id, SIGNAL);
        if (read !== undefined) expectSane(read);
      }
    }
    expect(await legion.commentsSince('acme-app-3', 0, SIGNAL)).toHaveLength(1);
  } finally {
    end();
  }
});

const known: { others?: unknown } = {};

async function listOthers(): Promise<unknown> {
  const list = async () =>
    (await (await stage.tracker([project])).list(SIGNAL)).filter(({ id }) => !isHostile(id));
  known.others ??= await list();
  expect(known.others).toHaveLength(2);
  return known.others;
}

function isHostile(id: string): boolean {
  return !['acme-app-1', 'acme-app-3'].includes(id);
}
