/** A pull request is shown at its issue, in a real Linear's place: once, and also where the first try came to nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seedDemo } from '../../../simulators/linear/demo.ts';
import type { LinearSimulator } from '../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../simulators/linear/start.ts';
import type { SeenIssue } from '../../../src/core/state/observation.ts';
import { BoardView } from '../../../src/daemon/board-view.ts';
import { ShownPullRequests } from '../../../src/daemon/loop/shown-pull-requests.ts';
import type { Repository } from '../../../src/daemon/repository.ts';
import { Troubles } from '../../../src/daemon/troubles.ts';
import { openLinear } from '../../../src/integrations/linear/client/open.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import type { LinearClient } from '../../../src/linear/client.ts';
import { type LinearTracker, openLinearTracker } from '../../../src/trackers/linear/open-linear-tracker.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const { signal } = new AbortController();
const addressOf = (number: number) => `https://github.example.com/acme/app/pull/${number}`;
const MINUTE_MS = 60_000;

let linear: LinearSimulator;
let client: LinearClient;
let tracker: LinearTracker;
let view: BoardView;
let clock: VirtualClock;
let troubles: Troubles;
let shown: ShownPullRequests;
let issue: string;

beforeEach(async () => {
  linear = await startLinear();
  const { team, key } = seedDemo(linear);
  issue = linear.people.issue('DEMO', { creator: 'ada', title: 'First', state: 'Testing' });
  client = openLinear({ url: linear.url, credential: { kind: 'api_key', value: key }, clock: systemClock });
  tracker = await openLinearTracker({
    ...{ client, viewer: await client.viewer(), clock: systemClock, legion: team, team },
    columns: () => ({}),
    authors: () => ({ trust: 'writers', also: [] }),
  });
  view = new BoardView();
  clock = new VirtualClock();
  troubles = new Troubles(clock, () => undefined);
  const repository = { name: 'acme/app', addressOf } as Repository;
  const repositories = {
    all: [repository],
    find: () => repository,
    of: () => repository,
    settle: () => repository,
  };
  shown = new ShownPullRequests({ tracker, view, clock, troubles, repositories });
});
afterEach(async () => {
  await client.close();
  await linear.close();
});

/** The board as it is now, each issue with this pull request. */
async function look(number: number | undefined): Promise<void> {
  const pullRequest = number === undefined ? 'none' : { number };
  const board = (await tracker.list(signal)).map((each) => ({ issue: each, pullRequest }) as SeenIssue);
  view.replaceAll(board);
}

const attached = () => linear.snapshot().issues.map(({ attachments }) => attachments);
const tries = () => linear.requests().filter(({ name }) => name === 'LegionAttaches').length;

test('it is shown once, also while the board does not say so yet, and costs nothing afterwards', async () => {
  await look(7);
  await shown.round();
  await shown.round();
  expect(attached()).toEqual([[addressOf(7)]]);
  expect(tries()).toBe(1);

  await look(7);
  const asked = linear.requests().length;
  await clock.advance(60 * MINUTE_MS);
  await shown.round();
  expect(linear.requests()).toHaveLength(asked);
});

test('another pull request of the same issue is shown at once, beside the first', async () => {
  await look(7);
  await shown.round();
  await look(8);
  await shown.round();
  expect(attached()).toEqual([[addressOf(7), addressOf(8)]]);
});

test('after a failure it is said, tried again a minute later, also when the issue is Done by then, and said no more', async () => {
  linear.faults.next({ matching: 'LegionAttaches', times: 1, answer: { status: 503 } });
  await look(7);
  await shown.round();
  expect(troubles.list()).toMatchObject([{ code: 'linear.unavailable' }]);
  await shown.round();
  expect(tries(), 'before the minute is over').toBe(1);

  linear.people.move('ada', issue, 'Done');
  await look(undefined);
  await clock.advance(MINUTE_MS);
  await shown.round();
  expect(attached()).toEqual([[addressOf(7)]]);
  expect(troubles.list()).toEqual([]);
});

test('one that was made although its answer was lost is found on the board: nothing is made twice or said for ever', async () => {
  linear.faults.next({ matching: 'LegionAttaches', times: 1, answer: { reset: true }, executed: true });
  await look(7);
  await shown.round();
  expect(troubles.list()).toHaveLength(1);
  await look(7);
  await clock.advance(MINUTE_MS);
  await shown.round();
  expect(attached()).toEqual([[addressOf(7)]]);
  expect(tries()).toBe(1);
  expect(troubles.list()).toEqual([]);
});

test('an issue that leaves the board is owed nothing', async () => {
  linear.faults.next({ matching: 'LegionAttaches', times: 1, answer: { status: 503 } });
  await look(7);
  await shown.round();
  linear.people.archive('ada', issue);
  await look(7);
  await clock.advance(MINUTE_MS);
  await shown.round();
  expect(tries()).toBe(1);
  expect(troubles.list()).toEqual([]);
});
