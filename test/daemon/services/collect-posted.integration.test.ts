/** What is due for issues of Linear as they are posted: by what was posted, what was last seen, and what the journal knows. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import type { SeenIssue } from '../../../src/core/state/observation.ts';
import { collectPosted } from '../../../src/daemon/desks/operator/collect-posted.ts';
import type { World } from '../../../src/daemon/world.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import { postedAnswer } from '../../../src/protocol/board-state.ts';
import { postedIssues } from '../../../src/trackers/linear/posted/posted-issues.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

let legion: DeskLegion;
let world: World;
/** Whatever is asked of the board is one request too many. */
const unasked = () => Promise.reject(new LegionError('tracker.unavailable', 'nothing is asked for'));

beforeAll(async () => {
  legion = await deskLegion();
  const { tracker } = legion.world;
  world = {
    ...legion.world,
    tracker: {
      ...tracker,
      ...{ kind: 'linear', list: unasked, read: unasked, commentsSince: unasked },
      mayDispatch: ({ writtenBy }) => ({ allowed: writtenBy?.mayWrite === true, why: 'a stranger wrote it' }),
      posted: (data) => postedIssues(data, {}),
    },
  };
});
afterEach(async () => {
  world.view.replaceAll([]);
  await legion.leave();
});
afterAll(() => legion.close());

const posted = (id: string, status: string, more: object = {}) => ({
  id,
  title: id,
  status,
  labels: [],
  ...more,
});

async function due(...issues: readonly object[]) {
  const { version } = world.ledger;
  const wakes = legion.wakes.length;
  const collected = await collectPosted(world, issues);
  expect(postedAnswer.parse(collected)).toEqual(collected);
  // Nothing is written, and nobody is woken.
  expect([world.ledger.version, legion.wakes.length]).toEqual([version, wakes]);
  return collected.issues;
}

/** As the loop has seen it, at an earlier time. */
function seen(
  id: string,
  status: SeenIssue['status'],
  more: Partial<SeenIssue> = {},
  issue: Partial<Issue> = {},
) {
  const its: Issue = {
    ...{ id, source: { kind: 'linear', uuid: `uuid of ${id}`, identifier: id }, title: id, body: 'Do it.' },
    ...{ column: status, labels: [], priority: 0, createdAt: 1, openBlockers: [] },
    ...issue,
  };
  const rest = { changes: new Map(), addedDependencies: 'unknown', clarified: false } as const;
  world.view.replace(id, { issue: its, status, pullRequest: 'none', ...rest, ...more });
}

test('an issue nobody has seen is evaluated as it was posted, without one request', async () => {
  const issues = await due(
    posted('ENG-1', 'Todo'),
    posted('ENG-2', 'Todo', { blockedBy: ['ENG-1'] }),
    posted('ENG-3', 'Backlog', { labels: ['needs-approval', 'worker-done'] }),
    posted('ENG-4', 'In Progress', { labels: ['worker-done'] }),
    posted('ENG-5', 'Sleeping'),
    posted('ENG-6', 'Released', { statusType: 'completed' }),
  );
  expect(issues).toMatchObject({
    'ENG-1': {
      ...{ suggestedAction: 'dispatch_planner', status: 'Todo', hasPr: false, hasLiveWorker: false },
      source: { kind: 'linear', identifier: 'ENG-1' },
    },
    'ENG-2': { suggestedAction: 'skip', reason: 'blocked', blockedByIds: ['ENG-1'] },
    'ENG-3': { suggestedAction: 'skip', reason: 'waits_for_approval' },
    // Whether there is a pull request, nobody has looked: that is not "none".
    'ENG-4': { suggestedAction: 'retry_pr_check', hasPr: null },
    'ENG-5': { suggestedAction: 'skip', status: 'unknown' },
    'ENG-6': { suggestedAction: 'skip', status: 'terminal' },
  });
});

test('what was posted counts, and what was not is as it was last seen', async () => {
  seen('ENG-1', 'Backlog', {}, { openBlockers: ['ENG-9'], labels: ['needs-approval'] });
  const before = await due(posted('ENG-1', 'Todo'));
  expect(before['ENG-1']).toMatchObject({
    ...{ status: 'Todo', labels: [], reason: 'blocked', blockedByIds: ['ENG-9'] },
    source: { kind: 'linear', uuid: 'uuid of ENG-1' },
  });
  const after = await due(posted('ENG-1', 'Todo', { blockedBy: [] }));
  expect(after['ENG-1']).toMatchObject({ suggestedAction: 'dispatch_planner', isBlocked: false });
  expect(world.view.of('ENG-1')?.status).toBe('Backlog');
});

test('workers and pull requests are those the daemon knows', async () => {
  await legion.dispatched('ENG-1', 'implement');
  seen('ENG-2', 'In Progress');
  seen('ENG-3', 'Todo');
  const done = { labels: ['worker-done'] };
  const issues = await due(
    posted('ENG-1', 'In Progress', { labels: ['worker-active'] }),
    posted('ENG-2', 'In Progress', done),
    posted('ENG-3', 'In Progress', done),
  );
  expect(issues).toMatchObject({
    'ENG-1': { reason: 'worker_live', hasLiveWorker: true, workerMode: 'implement', workerStatus: 'spawned' },
    // Asked for when it was seen, and not there; of the other it did not matter then.
    'ENG-2': { suggestedAction: 'investigate_no_pr', hasPr: false },
    'ENG-3': { suggestedAction: 'retry_pr_check', hasPr: null },
  });
});

test('the issue of a stranger stays one, also where it is posted', async () => {
  seen('ENG-1', 'Todo', {}, { writtenBy: { name: 'eve', mayWrite: false } });
  seen('ENG-2', 'Todo', {}, { writtenBy: { name: 'ada', mayWrite: true } });
  const issues = await due(posted('ENG-1', 'Todo'), posted('ENG-2', 'Todo'));
  expect(issues).toMatchObject({
    'ENG-1': { suggestedAction: 'skip', reason: 'not_trusted' },
    'ENG-2': { suggestedAction: 'dispatch_planner' },
  });
});

test('a malformed issue is rejected alone', async () => {
  const answer = await collectPosted(world, [
    posted('ENG-1', 'Todo'),
    posted('ENG-2', 'Todo', { labels: 5 }),
  ]);
  expect(Object.keys(answer.issues)).toEqual(['ENG-1']);
  expect(answer.rejected).toEqual([
    { path: '[1]', id: 'ENG-2', message: '[1].labels: expected array, got number 5' },
  ]);
});

test('another board’s issues and a list without a usable issue are refused', async () => {
  const refused = (body: unknown) => collectPosted(world, body);
  await expect(refused({ backend: 'github', issues: [] })).rejects.toMatchObject({
    code: 'state.not_accepted',
  });
  await expect(refused({ backend: 'jira', issues: [] })).rejects.toMatchObject({
    ...{ code: 'input.invalid', message: expect.stringContaining('body.backend: expected one of ') },
  });
  await expect(refused([{ id: 'ENG-1' }])).rejects.toMatchObject({ code: 'input.invalid' });
  expect(await refused({ backend: 'linear', issues: [] })).toMatchObject({ issues: {} });
});
