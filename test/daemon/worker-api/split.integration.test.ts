import { afterAll, beforeAll, expect, test } from 'vitest';
import { sortByDependencies } from '../../../src/daemon/worker-api/verbs/split.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { openWorking, type Working } from './working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const { signal } = new AbortController();
const part = (title: string, more: object = {}) => ({ title, body: `${title}, in detail`, ...more });

async function childrenOnBoard(parent: string) {
  return (await working.board.list(signal)).filter((issue) => issue.parent === parent);
}

test('creates sub-issues in Backlog, in the given order, each blocked by the sub-issues it depends on', async () => {
  const issue = await working.issue('Backlog');
  const who = await working.dispatch(issue, 'architect');
  const { children } = await working.say(who, 'split', {
    children: [
      part('Last', { after: [1, 2], labels: ['docs', 'docs'] }),
      part('First', { priority: 1 }),
      part('Second', { after: [1] }),
    ],
  });
  const [last = '', first = '', second = ''] = children;
  expect(working.record(issue)).toMatchObject({ lastSplit: 1, children: [last, first, second] });
  expect(await working.board.read(last, signal)).toMatchObject({
    title: 'Last',
    column: 'Backlog',
    parent: issue,
    labels: ['docs'],
    openBlockers: [first, second],
  });
  expect(await working.board.read(first, signal)).toMatchObject({
    title: 'First',
    priority: 1,
    openBlockers: [],
  });
  expect(await working.board.read(second, signal)).toMatchObject({ openBlockers: [first] });
  expect(working.wakes.slice(-4)).toEqual([issue, last, first, second]);
});

test('repeating a split revision returns the same sub-issues and creates none', async () => {
  const issue = await working.issue('Backlog');
  const who = await working.dispatch(issue, 'architect');
  const said = { revision: 1, children: [part('One'), part('Two')] };
  const [first, again] = await Promise.all([
    working.say(who, 'split', said),
    working.say(who, 'split', { revision: 1, children: [part('One'), part('Two'), part('Three')] }),
  ]);
  expect(again).toEqual(first);
  expect(await working.say(who, 'split', said)).toEqual(first);
  expect(await childrenOnBoard(issue)).toHaveLength(2);
  expect(working.record(issue).lastSplit).toBe(1);
});

test('if the daemon was killed before the journal entry, repeating the call creates the missing sub-issues', async () => {
  const issue = await working.issue('Backlog');
  const who = await working.dispatch(issue, 'architect');
  const text = { status: 'Backlog', labels: [], priority: 0, blockedBy: [], parent: issue } as const;
  const made = await working.board.create(`${issue}:split:1:0`, {
    title: 'One',
    body: 'made before',
    ...text,
  });
  await working.restart();
  const { children } = await working.say(who, 'split', { children: [part('One'), part('Two')] });
  expect(children[0]).toBe(made);
  expect(await childrenOnBoard(issue)).toHaveLength(2);
  expect(working.record(issue).children).toEqual(children);
});

test('a later revision replaces the split, and an earlier revision or one that skips a number is refused', async () => {
  const issue = await working.issue('Backlog');
  const who = await working.dispatch(issue, 'architect');
  const split = (revision: number) =>
    working.say(who, 'split', { revision, children: [part(`Of ${revision}`)] });
  expect(await refusal(split(2))).toMatchObject({ code: 'input.invalid' });
  await split(1);
  const second = await split(2);
  expect(working.record(issue)).toMatchObject({ lastSplit: 2, children: second.children });
  const refused = await refusal(split(1));
  expect(refused).toMatchObject({
    code: 'input.invalid',
    message: expect.stringContaining('the next revision is 3'),
  });
});

test('refuses unknown indexes and cycles before anything is created', async () => {
  const issue = await working.issue('Backlog');
  const who = await working.dispatch(issue, 'architect');
  for (const children of [
    [part('One', { after: [1] })],
    [part('One', { after: [0] })],
    [part('One', { after: [1] }), part('Two', { after: [2] }), part('Three', { after: [0] }), part('Free')],
  ]) {
    expect(await refusal(working.say(who, 'split', { children }))).toMatchObject({ code: 'input.invalid' });
  }
  expect(await childrenOnBoard(issue)).toEqual([]);
  expect(working.record(issue).lastSplit).toBe(0);
});

test('a worker cannot give its sub-issues a label reserved for Legion', async () => {
  const issue = await working.issue('Backlog');
  const who = await working.dispatch(issue, 'architect');
  for (const label of ['human-approved', 'Human-Approved', 'test-passed', 'worker-done']) {
    const refused = await refusal(
      working.say(who, 'split', { children: [part('One', { labels: [label] })] }),
    );
    expect(refused).toMatchObject({ code: 'input.invalid', message: expect.stringContaining(label) });
  }
  expect(await childrenOnBoard(issue)).toEqual([]);
});

test('orders sub-issues after all the sub-issues they depend on', () => {
  expect(sortByDependencies([{ after: [2] }, { after: [] }, { after: [1, 1] }])).toEqual([1, 2, 0]);
});
