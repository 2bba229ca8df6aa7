/**
 * Checks that posted Linear issues are evaluated from their posted fields, the last board read and
 * the journal.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import type { Issue } from '../../../src/core/model/issue.ts';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import type { DaemonContext } from '../../../src/daemon/context/daemon-context.ts';
import { collectPosted } from '../../../src/daemon/services/operator/collect.ts';
import { parsePostedIssues } from '../../../src/integrations/linear/tracker/posted-issues.ts';
import { postedAnswer } from '../../../src/protocol/board-state.ts';
import { overridePort } from '../../support/override-port.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

let legion: DeskLegion;
let context: DaemonContext;
/** Fails the test on any request to the board. */
const unasked = () => Promise.reject(new LegionError('tracker.unavailable', 'no request is expected'));

beforeAll(async () => {
  legion = await deskLegion();
  const { tracker } = legion.world;
  context = {
    ...legion.world,
    tracker: overridePort(tracker, {
      kind: 'linear',
      list: unasked,
      read: unasked,
      commentsSince: unasked,
      mayDispatch: ({ writtenBy }) => ({ allowed: writtenBy?.mayWrite === true, why: 'a stranger wrote it' }),
      posted: (data) => parsePostedIssues(data, {}),
    }),
  };
});
afterEach(async () => {
  context.boardView.replaceAll([]);
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
  const { version } = context.ledger;
  const wakes = legion.wakes.length;
  const collected = await collectPosted(context, issues);
  expect(postedAnswer.parse(collected)).toEqual(collected);
  // Evaluating posted issues must write nothing and wake no issue.
  expect([context.ledger.version, legion.wakes.length]).toEqual([version, wakes]);
  return collected.issues;
}

/** Records an issue as the loop saw it at an earlier time. */
function seen(
  id: string,
  status: ObservedIssue['status'],
  more: Partial<ObservedIssue> = {},
  issue: Partial<Issue> = {},
) {
  const its: Issue = {
    id,
    source: { kind: 'linear', uuid: `uuid of ${id}`, identifier: id },
    title: id,
    body: 'Do it.',
    column: status,
    labels: [],
    priority: 0,
    createdAt: 1,
    openBlockers: [],
    ...issue,
  };
  const rest = { changes: new Map(), clarified: false } as const;
  context.boardView.replace(id, { issue: its, status, pullRequest: 'none', ...rest, ...more });
}

test('evaluates an issue from its posted fields alone if the daemon has never read the issue', async () => {
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
      suggestedAction: 'dispatch_planner',
      status: 'Todo',
      hasPr: false,
      hasLiveWorker: false,
      source: { kind: 'linear', identifier: 'ENG-1' },
    },
    'ENG-2': { suggestedAction: 'skip', reason: 'blocked', blockedByIds: ['ENG-1'] },
    'ENG-3': { suggestedAction: 'skip', reason: 'waits_for_approval' },
    // The pull request was never looked up, so it is unknown, which is not the same as "none".
    'ENG-4': { suggestedAction: 'retry_pr_check', hasPr: null },
    'ENG-5': { suggestedAction: 'skip', status: 'unknown' },
    'ENG-6': { suggestedAction: 'skip', status: 'terminal' },
  });
});

test('uses the posted fields, and the values from the last read for fields that were not posted', async () => {
  seen('ENG-1', 'Backlog', {}, { openBlockers: ['ENG-9'], labels: ['needs-approval'] });
  const before = await due(posted('ENG-1', 'Todo'));
  expect(before['ENG-1']).toMatchObject({
    status: 'Todo',
    labels: [],
    reason: 'blocked',
    blockedByIds: ['ENG-9'],
    source: { kind: 'linear', uuid: 'uuid of ENG-1' },
  });
  const after = await due(posted('ENG-1', 'Todo', { blockedBy: [] }));
  expect(after['ENG-1']).toMatchObject({ suggestedAction: 'dispatch_planner', isBlocked: false });
  expect(context.boardView.find('ENG-1')?.status).toBe('Backlog');
});

test('uses the workers and pull requests that the daemon knows', async () => {
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
    // The pull request of ENG-2 was looked up when the issue was read, and did not exist. For ENG-3
    // in Todo it was not looked up.
    'ENG-2': { suggestedAction: 'investigate_no_pr', hasPr: false },
    'ENG-3': { suggestedAction: 'retry_pr_check', hasPr: null },
  });
});

test('an issue written by a stranger is still untrusted when it is posted', async () => {
  seen('ENG-1', 'Todo', {}, { writtenBy: { name: 'eve', mayWrite: false } });
  seen('ENG-2', 'Todo', {}, { writtenBy: { name: 'ada', mayWrite: true } });
  const issues = await due(posted('ENG-1', 'Todo'), posted('ENG-2', 'Todo'));
  expect(issues).toMatchObject({
    'ENG-1': { suggestedAction: 'skip', reason: 'not_trusted' },
    'ENG-2': { suggestedAction: 'dispatch_planner' },
  });
});

test('rejects only the malformed issue', async () => {
  const answer = await collectPosted(context, [
    posted('ENG-1', 'Todo'),
    posted('ENG-2', 'Todo', { labels: 5 }),
  ]);
  expect(Object.keys(answer.issues)).toEqual(['ENG-1']);
  expect(answer.rejected).toEqual([
    { path: '[1]', id: 'ENG-2', message: '[1].labels: expected array, got number 5' },
  ]);
});

test('refuses issues of another board and a list without a usable issue', async () => {
  const refused = (body: unknown) => collectPosted(context, body);
  await expect(refused({ backend: 'github', issues: [] })).rejects.toMatchObject({
    code: 'state.not_accepted',
  });
  await expect(refused({ backend: 'jira', issues: [] })).rejects.toMatchObject({
    code: 'input.invalid',
    message: expect.stringContaining('body.backend: expected one of '),
  });
  await expect(refused([{ id: 'ENG-1' }])).rejects.toMatchObject({ code: 'input.invalid' });
  expect(await refused({ backend: 'linear', issues: [] })).toMatchObject({ issues: {} });
});
