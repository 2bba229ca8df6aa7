/**
 * Checks that an issue in a simulated Linear gets exactly one link to its pull request, even if the
 * first try fails.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seedDemo } from '../../../simulators/linear/demo.ts';
import type { LinearSimulator } from '../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../simulators/linear/start.ts';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import { ActiveProblems } from '../../../src/daemon/context/active-problems.ts';
import { BoardView } from '../../../src/daemon/context/board-view.ts';
import type { Repository } from '../../../src/daemon/context/repository.ts';
import { PullRequestLinks } from '../../../src/daemon/loop/shown-pull-requests.ts';
import type { LinearClient } from '../../../src/integrations/linear/client/client.ts';
import { openLinear } from '../../../src/integrations/linear/client/open.ts';
import {
  type LinearTracker,
  openLinearTracker,
} from '../../../src/integrations/linear/tracker/open-linear-tracker.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const { signal } = new AbortController();
const addressOf = (number: number) => `https://github.example.com/acme/app/pull/${number}`;
const MINUTE_MS = 60_000;

let linear: LinearSimulator;
let client: LinearClient;
let tracker: LinearTracker;
let boardView: BoardView;
let clock: VirtualClock;
let problems: ActiveProblems;
let shown: PullRequestLinks;
let issue: string;

beforeEach(async () => {
  linear = await startLinear();
  const { team, key } = seedDemo(linear);
  issue = linear.people.issue('DEMO', { creator: 'ada', title: 'First', state: 'Testing' });
  client = openLinear({ url: linear.url, credential: { kind: 'api_key', value: key }, clock: systemClock });
  tracker = await openLinearTracker({
    client,
    viewer: await client.viewer(),
    clock: systemClock,
    legion: team,
    team,
    columns: () => ({}),
    authors: () => ({ trust: 'writers', also: [] }),
  });
  boardView = new BoardView();
  clock = new VirtualClock();
  problems = new ActiveProblems(clock, () => undefined);
  const repository = { name: 'acme/app', addressOf } as Repository;
  const repositories = {
    all: [repository],
    find: () => repository,
    require: () => repository,
    assign: () => repository,
  };
  shown = new PullRequestLinks({ tracker, boardView: boardView, clock, problems: problems, repositories });
});
afterEach(async () => {
  await client.close();
  await linear.close();
});

/** Simulates a board read in which every issue has this pull request. */
async function reconcile(number: number | undefined): Promise<void> {
  const pullRequest = number === undefined ? 'none' : { number };
  const board = (await tracker.list(signal)).map((each) => ({ issue: each, pullRequest }) as ObservedIssue);
  boardView.replaceAll(board);
}

const attached = () => linear.snapshot().issues.map(({ attachments }) => attachments);
const tries = () => linear.requests().filter(({ name }) => name === 'LegionAttaches').length;

test('links a pull request only once although the board does not show the link yet, and makes no further requests', async () => {
  await reconcile(7);
  await shown.runRound();
  await shown.runRound();
  expect(attached()).toEqual([[addressOf(7)]]);
  expect(tries()).toBe(1);

  await reconcile(7);
  const asked = linear.requests().length;
  await clock.advance(60 * MINUTE_MS);
  await shown.runRound();
  expect(linear.requests()).toHaveLength(asked);
});

test('immediately links a second pull request of the same issue, next to the first', async () => {
  await reconcile(7);
  await shown.runRound();
  await reconcile(8);
  await shown.runRound();
  expect(attached()).toEqual([[addressOf(7), addressOf(8)]]);
});

test('reports a failed link, retries it a minute later even if the issue is Done by then, and clears the problem', async () => {
  linear.faults.next({ matching: 'LegionAttaches', times: 1, answer: { status: 503 } });
  await reconcile(7);
  await shown.runRound();
  expect(problems.list()).toMatchObject([{ code: 'linear.unavailable' }]);
  await shown.runRound();
  expect(tries(), 'before the minute is over').toBe(1);

  linear.people.move('ada', issue, 'Done');
  await reconcile(undefined);
  await clock.advance(MINUTE_MS);
  await shown.runRound();
  expect(attached()).toEqual([[addressOf(7)]]);
  expect(problems.list()).toEqual([]);
});

test('after the response to a write was lost, finds the link on the board, does not write it again and clears the problem', async () => {
  linear.faults.next({ matching: 'LegionAttaches', times: 1, answer: { reset: true }, executed: true });
  await reconcile(7);
  await shown.runRound();
  expect(problems.list()).toHaveLength(1);
  await reconcile(7);
  await clock.advance(MINUTE_MS);
  await shown.runRound();
  expect(attached()).toEqual([[addressOf(7)]]);
  expect(tries()).toBe(1);
  expect(problems.list()).toEqual([]);
});

test('does not retry the link of an issue that has left the board, and clears the problem', async () => {
  linear.faults.next({ matching: 'LegionAttaches', times: 1, answer: { status: 503 } });
  await reconcile(7);
  await shown.runRound();
  linear.people.archive('ada', issue);
  await reconcile(7);
  await clock.advance(MINUTE_MS);
  await shown.runRound();
  expect(tries()).toBe(1);
  expect(problems.list()).toEqual([]);
});
