import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { BoardView } from '../../../src/daemon/context/board-view.ts';
import type { DaemonContext } from '../../../src/daemon/context/daemon-context.ts';
import { evaluateIssue } from '../../../src/daemon/services/evaluate-issues.ts';
import { readStatus } from '../../../src/daemon/services/operator/status.ts';
import { statusAnswer } from '../../../src/protocol/status.ts';
import { overridePort } from '../../support/override-port.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

let legion: DeskLegion;
let desk: DeskLegion['desks']['operator'];

beforeAll(async () => {
  legion = await deskLegion();
  desk = legion.desks.operator;
});
afterEach(() => legion.leave());
afterAll(() => legion.close());

const read = (context: DaemonContext) =>
  readStatus(
    {
      context: context,
      control: { listUndecided: () => [] },
      sources: {
        failingLogs: () => Promise.resolve(undefined),
        dayItems: () => [],
        revertStates: () => Promise.resolve(undefined),
      },
      info: { version: '0', pid: 1, startedAt: 0 },
    },
    {},
  );

test('the full status equals the combined responses to the separate requests for issues, inbox, workers and health', async () => {
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
  expect(status.workers).toEqual(await legion.desks.workers.list({ active: false, finished: 'all' }));
  expect(status.daemon).toEqual(legion.desks.health());
});

test('the status summary of an issue contains only those fields of its full status that a page shows', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  const find = async (query: Parameters<typeof desk.status>[0]) =>
    (await desk.status(query)).issues.find(({ id }) => id === issue);
  const { id, title, status, hasLiveWorker, workerMode, workerStatus, says } = {
    ...(await find({ detail: 'full' })),
  };
  expect(await find({})).toEqual({ id, title, status, hasLiveWorker, workerMode, workerStatus, says });
  expect(says).toBe('An approval is due.');
});

test('lists a closed issue only while its worker is running, unless all issues are requested', async () => {
  const running = await legion.issue('Done');
  await legion.dispatched(running, 'plan');
  const over = await legion.issue('Done');
  const idsOf = async (query: Parameters<typeof desk.status>[0]) =>
    (await desk.status(query)).issues.map(({ id }) => id);
  expect(await idsOf({})).toContain(running);
  expect(await idsOf({})).not.toContain(over);
  expect(await idsOf({ finished: 'all' })).toEqual(expect.arrayContaining([running, over]));
});

test('orders issues by status', async () => {
  const late = await legion.issue('Retro');
  const early = await legion.issue('Backlog');
  const ids = (await desk.status({})).issues.map(({ id }) => id);
  expect(ids.indexOf(early)).toBeLessThan(ids.indexOf(late));
});

test('reads the board only once per request', async () => {
  await legion.issue('Todo');
  let lists = 0;
  const { tracker } = legion.world;
  const counting = overridePort(tracker, {
    list: (signal) => {
      lists += 1;
      return tracker.list(signal);
    },
  });
  await read({ ...legion.world, tracker: counting });
  expect(lists).toBe(1);
});

test('shows the board as last read, and the reason, while the board cannot be read', async () => {
  const issue = await legion.issue('Todo', ['needs-approval']);
  const world = { ...legion.world, boardView: new BoardView() };
  world.boardView.replaceAll([(await evaluateIssue(world, issue)).seen]);
  const away = overridePort(legion.world.tracker, {
    list: () => Promise.reject(new LegionError('tracker.unavailable', 'nobody answers')),
  });
  const status = await read({ ...world, tracker: away });
  expect(status.isOutdated).toBe(true);
  expect(status.issues).toMatchObject([{ id: issue, says: 'An approval is due.' }]);
  expect(status.daemon.troubles).toContainEqual(
    expect.objectContaining({ code: 'tracker.unavailable', message: 'nobody answers' }),
  );
});
