import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServices } from '../../../src/daemon/services/open-services.ts';
import { newIssueRequest } from '../../../src/protocol/board.ts';
import { issueEndpoints } from '../../../src/protocol/endpoints/issues.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

const NEW = newIssueRequest.omit({ key: true }).parse({ title: 'New' });
let legion: DeskLegion;
let desk: DeskLegion['desks']['issues'];

beforeAll(async () => {
  legion = await deskLegion();
  desk = legion.desks.issues;
});
afterAll(() => legion.close());

test('adds an issue to the board immediately, and wakes the loop for it', async () => {
  const added = await desk.add({ ...NEW, title: 'Export', labels: ['bug'], blockedBy: [] });
  expect(added).toMatchObject({ title: 'Export', status: 'Triage', labels: ['bug'] });
  expect(legion.wakes.at(-1)).toBe(added.id);
  expect((await desk.list()).map(({ id }) => id)).toContain(added.id);
});

test('adds one issue per idempotency key, and a new issue on every call without a key', async () => {
  const first = await desk.add({ ...NEW, title: 'Once', key: 'k' });
  expect((await desk.add({ ...NEW, title: 'Once', key: 'k' })).id).toBe(first.id);
  const [one, other] = [await desk.add({ ...NEW, title: 'Two' }), await desk.add({ ...NEW, title: 'Two' })];
  expect(one.id).not.toBe(other.id);
});

test('edits, moves, labels and closes an issue as a person, and wakes the loop each time', async () => {
  const id = await legion.issue('Triage', ['bug']);
  const before = legion.wakes.length;
  expect(await desk.edit(id, { title: 'Better', priority: 2 })).toMatchObject({
    title: 'Better',
    priority: 2,
    body: 'Do it.',
  });
  expect((await desk.label(id, { add: ['docs'], remove: ['bug'] })).labels).toEqual(['docs']);
  expect((await desk.move(id, 'Testing')).status).toBe('Testing');
  expect((await desk.close(id)).status).toBe('terminal');
  // Ignores wake-ups of the whole board, which the preflight may send at any time.
  const wakes = legion.wakes.slice(before).filter((issue) => issue !== undefined);
  expect(wakes).toEqual([id, id, id, id]);
});

test('shows labels in sorted order, including a label that is not written to the board yet', async () => {
  const issue = await legion.issue('Todo', ['worker-active']);
  await legion.append({ type: 'labels.owed', issue, revision: 1, add: ['user-input-needed'], remove: [] });
  expect((await desk.show(issue)).issue.labels).toEqual(['user-input-needed', 'worker-active']);
});

test.each(['Done', 'closed'])(
  'if an issue with an open pull request becomes %s, the response mentions the pull request',
  async (end) => {
    const id = await legion.issue('Needs Review');
    const { number } = await legion.pullRequest(id);
    const note = `Pull request ${number} of the branch ${id} is not merged and stays open.`;
    const moved = end === 'Done' ? await desk.move(id, 'Done') : await desk.close(id);
    expect(moved.notes).toEqual([note]);
    expect((await legion.desks.operator.explain(id)).state.says).toBe(`The issue is ${end}. ${note}`);
    const other = await legion.issue('Todo');
    expect((await desk.move(other, 'Done')).notes).toBeUndefined();
  },
);

test('an edit changes text, labels and blockers in one step, and refuses to overwrite a later edit', async () => {
  const [id, other] = [await legion.issue('Triage', ['bug']), await legion.issue('Triage')];
  const { title } = (await desk.show(id)).issue;
  const edit = {
    title: 'Mine',
    labels: { add: ['docs'], remove: ['bug'] },
    blockers: { add: [other], remove: [] },
    expected: { title },
  };
  expect(await desk.edit(id, edit)).toMatchObject({
    title: 'Mine',
    labels: ['docs'],
    blockedBy: [other],
  });
  await expect(desk.edit(id, edit)).rejects.toMatchObject({ code: 'issue.changed' });
});

test('sets all blockers or none: a cycle leaves everything unchanged', async () => {
  const [first, second, third] = [
    await legion.issue('Todo'),
    await legion.issue('Todo'),
    await legion.issue('Todo'),
  ];
  expect((await desk.block(second, { add: [first], remove: [] })).blockedBy).toEqual([first]);
  await expect(desk.block(first, { add: [third, second], remove: [] })).rejects.toMatchObject({
    code: 'tracker.cycle',
  });
  expect((await desk.show(first)).issue.blockedBy).toEqual([]);
  await expect(desk.block(first, { add: [third, 'DEMO-999'], remove: [] })).rejects.toMatchObject({
    code: 'tracker.issue_unknown',
  });
  expect((await desk.show(first)).issue.blockedBy).toEqual([]);
  expect((await desk.block(second, { add: [], remove: [first] })).blockedBy).toEqual([]);
});

test('shows an issue with its comments and their authors, its pull request and its workers', async () => {
  const id = await legion.issue('In Progress');
  const { number, head } = await legion.pullRequest(id);
  await legion.dispatched(id, 'implement');
  expect(await desk.comment(id, 'ada', 'Mind the dates.')).toEqual({ says: `Posted on ${id}.` });
  const detail = await desk.show(id);
  expect(issueEndpoints.show.response.parse(detail)).toEqual(detail);
  expect(detail.comments).toMatchObject([{ author: 'ada', by: 'writer', text: 'Mind the dates.' }]);
  expect(detail.pullRequest).toMatchObject({ number, headSha: head, state: 'open', review: 'none' });
  expect(detail.workers).toMatchObject([{ mode: 'implement', status: 'spawned', attempt: 1 }]);
});

test('a review of an earlier commit is no longer valid once other files have changed', async () => {
  const id = await legion.issue('Needs Review');
  const { number, head } = await legion.pullRequest(id);
  const { forge } = legion.world.repositories.require(id);
  await forge.review(number, { reviewer: 'bob', verdict: 'approved', sha: head, text: 'good' });
  expect((await desk.show(id)).pullRequest?.review).toBe('approved');
  await legion.pullRequest(id, { 'late.txt': 'more\n' });
  expect((await desk.show(id)).pullRequest?.review).toBe('none');
});

test('every command reports an unknown issue as unknown', async () => {
  const unknown = { code: 'tracker.issue_unknown' };
  await expect(desk.show('DEMO-999')).rejects.toMatchObject(unknown);
  await expect(desk.edit('DEMO-999', { title: 'x' })).rejects.toMatchObject(unknown);
  await expect(desk.comment('DEMO-999', 'ada', 'x')).rejects.toMatchObject(unknown);
  await expect(desk.move('DEMO-999', 'Done')).rejects.toMatchObject(unknown);
  await expect(desk.close('DEMO-999')).rejects.toMatchObject(unknown);
});

test('an external tracker can be read but not edited', async () => {
  const id = await legion.issue('Todo');
  const elsewhere = openServices({ ...legion.world, board: undefined }, legion.control, {
    version: '',
    pid: 1,
    startedAt: 0,
  });
  const notOurs = { code: 'issue.not_ours' };
  expect((await elsewhere.issues.show(id)).issue.id).toBe(id);
  await expect(elsewhere.issues.add({ ...NEW, title: 'x' })).rejects.toMatchObject(notOurs);
  await expect(elsewhere.issues.move(id, 'Done')).rejects.toMatchObject(notOurs);
  await expect(elsewhere.issues.label(id, { add: ['x'], remove: [] })).rejects.toMatchObject(notOurs);
});
