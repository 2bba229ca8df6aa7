import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { BoardView } from '../../../src/daemon/board-view.ts';
import { evaluateIssue } from '../../../src/daemon/desks/evaluate-issues.ts';
import { readStatus } from '../../../src/daemon/services/operator/status.ts';
import type { World } from '../../../src/daemon/world.ts';
import { statusAnswer } from '../../../src/protocol/status.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

let legion: DeskLegion;
let desk: DeskLegion['desks']['operator'];

beforeAll(async () => {
  legion = await deskLegion();
  desk = legion.desks.operator;
});
afterEach(() => legion.leave());
afterAll(() => legion.close());

const read = (world: World) =>
  readStatus(
    {
      world,
      control: { undecided: () => [] },
      sources: {
        failingLogs: () => Promise.resolve(undefined),
        dayItems: () => [],
        revertStates: () => Promise.resolve(undefined),
      },
      info: { version: '0', pid: 1, startedAt: 0 },
    },
    {},
  );

test('full status has what its parts say by themselves', async () => {
  await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  const working = await legion.issue('In Progress', ['worker-active']);
  await legion.dispatched(working, 'implement');
  const status = await desk.status({ finished: 'all', detail: 'full' });
  expect(statusAnswer.parse(status)).toEqual(status);
  const { issues } = await desk.collect({});
  const byId = new Map(status.issues.map((issue) => [issue.id, issue]));
  expect(Object.fromEntries(byId)).toEqual(issues);
  expect(status.inbox).toEqual(await desk.inbox());
  expect(status.waiting).toBe(status.inbox?.length);
  expect(status.workers).toEqual(legion.desks.workers.list());
  expect(status.daemon).toEqual(legion.desks.health());
});

test('a summary has the fields of the whole state that a page shows', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  const find = async (query: Parameters<typeof desk.status>[0]) =>
    (await desk.status(query)).issues.find(({ id }) => id === issue);
  const { id, title, status, hasLiveWorker, workerMode, workerStatus, says } = {
    ...(await find({ detail: 'full' })),
  };
  expect(await find({})).toEqual({ id, title, status, hasLiveWorker, workerMode, workerStatus, says });
  expect(says).toBe('An approval is due.');
});

test('a closed issue is listed only while its worker runs, unless all are asked for', async () => {
  const running = await legion.issue('Done');
  await legion.dispatched(running, 'plan');
  const over = await legion.issue('Done');
  const idsOf = async (query: Parameters<typeof desk.status>[0]) =>
    (await desk.status(query)).issues.map(({ id }) => id);
  expect(await idsOf({})).toContain(running);
  expect(await idsOf({})).not.toContain(over);
  expect(await idsOf({ finished: 'all' })).toEqual(expect.arrayContaining([running, over]));
});

test('issues come in the order of their statuses', async () => {
  const late = await legion.issue('Retro');
  const early = await legion.issue('Backlog');
  const ids = (await desk.status({})).issues.map(({ id }) => id);
  expect(ids.indexOf(early)).toBeLessThan(ids.indexOf(late));
});

test('the board is read once', async () => {
  await legion.issue('Todo');
  let lists = 0;
  const { tracker } = legion.world;
  const counting = {
    ...tracker,
    list: (signal: AbortSignal) => {
      lists += 1;
      return tracker.list(signal);
    },
  };
  await read({ ...legion.world, tracker: counting });
  expect(lists).toBe(1);
});

test('while the board cannot be read, status shows what was seen last and the reason', async () => {
  const issue = await legion.issue('Todo', ['needs-approval']);
  const world = { ...legion.world, view: new BoardView() };
  world.view.replaceAll([(await evaluateIssue(world, issue)).seen]);
  const away = {
    ...legion.world.tracker,
    list: () => Promise.reject(new LegionError('tracker.unavailable', 'nobody answers')),
  };
  const status = await read({ ...world, tracker: away });
  expect(status.isOutdated).toBe(true);
  expect(status.issues).toMatchObject([{ id: issue, says: 'An approval is due.' }]);
  expect(status.daemon.troubles).toContainEqual(
    expect.objectContaining({ code: 'tracker.unavailable', message: 'nobody answers' }),
  );
});
