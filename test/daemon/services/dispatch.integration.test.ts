import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type IssueId, toWorkerId } from '../../../src/core/model/ids.ts';
import { computeEffectiveLabels } from '../../../src/core/state/effective-labels.ts';
import { type DispatchRequest, dispatchRequest, workerSchema } from '../../../src/protocol/workers.ts';
import { type DeskLegion, deskLegion } from './legion.ts';
import { repeated, SOON } from './repeater.ts';

let legion: DeskLegion;

beforeAll(async () => {
  legion = await deskLegion();
});
afterEach(async () => {
  legion.settings = {};
  await legion.leave();
});
afterAll(() => legion.close());

test('starts the due worker with the operator’s prompt and environment', async () => {
  const issue = await legion.issue('Todo');
  const worker = await dispatch({ issue, mode: 'plan', prompt: 'Be brief.', env: { DEPTH: '2' }, by: 'ada' });
  expect(workerSchema.parse(worker)).toMatchObject({
    id: `${issue}-plan`.toLowerCase(),
    status: 'spawned',
    attempt: 1,
  });
  expect(await legion.ordered(issue)).toEqual([
    {
      kind: 'spawn',
      issue,
      mode: 'plan',
      attempt: 1,
      purpose: 'start',
      version: 0,
      agent: 'scripted',
      env: { DEPTH: '2' },
    },
  ]);
  const { pid } = legion.world.ledger.state.workers.get(worker.id)?.process ?? {};
  await repeated(legion.desks.workers, worker.id, 'From operator ada:\n\nBe brief.');
  await vi.waitFor(
    () => expect(readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')).toContain('DEPTH=2'),
    SOON,
  );
  expect(await legion.labels(issue)).toEqual(['worker-active']);
  expect(legion.world.ledger.state.issues.get(issue)?.decision).toMatchObject({
    action: 'dispatch_planner',
    reason: 'due',
  });
});

test('moves the issue first if the due worker requires a different status, and counts the round', async () => {
  const issue = await legion.issue('Testing', ['worker-done', 'test-failed']);
  await legion.pullRequest(issue);
  await dispatch({ issue, mode: 'implement' });
  expect(await legion.ordered(issue)).toMatchObject([{ kind: 'spawn', purpose: 'test_failure' }]);
  const { issue: now } = await legion.desks.issues.show(issue);
  expect(now).toMatchObject({ status: 'In Progress', labels: ['worker-active'] });
  expect(legion.world.ledger.state.issues.get(issue)?.rounds).toEqual({ test_failure: 1 });
});

test('delivers a prompt to the worker that is already running, without a second attempt', async () => {
  const issue = await legion.issue('Todo');
  const { sessionId } = await dispatch({ issue, mode: 'plan' });
  const again = await dispatch({ issue, mode: 'plan', prompt: 'Fix CI', by: 'ada' });
  expect(again).toMatchObject({ sessionId, attempt: 1, says: expect.stringContaining('receives this') });
  expect(await legion.ordered(issue)).toHaveLength(1);
  expect([...legion.world.ledger.state.messages.values()].at(-1)?.body).toContain('Fix CI');
});

test('resumes an ended session with a prompt, even if another step is due', async () => {
  const issue = await legion.issue('Testing');
  await legion.dispatched(issue, 'implement');
  await legion.finished(issue, 'implement');
  const { session } = legion.world.ledger.state.workers.get(toWorkerId(issue, 'implement')) ?? {};
  const worker = await dispatch({ issue, mode: 'implement', prompt: 'Fix CI', by: 'ada' });
  expect(worker).toMatchObject({
    sessionId: session,
    attempt: 2,
    says: expect.stringContaining('continues'),
  });
  await repeated(legion.desks.workers, worker.id, 'From operator ada:\n\nFix CI');
});

test('starts no worker for a finished issue, not even by force', async () => {
  const issue = await legion.issue('Done');
  for (const force of [false, true])
    await expect(dispatch({ issue, mode: 'plan', prompt: 'Again', force })).rejects.toMatchObject({
      code: 'issue.over',
    });
  expect(await legion.ordered(issue)).toEqual([]);
});

test('if a start is refused, the error contains the due step as separate fields', async () => {
  const issue = await legion.issue('Todo');
  await expect(dispatch({ issue, mode: 'merge' })).rejects.toMatchObject({
    code: 'worker.out_of_order',
    due: { action: 'dispatch_planner', mode: 'plan', reason: 'due' },
  });
});

test('if a worker failed a moment ago, the reason for refusing its start is its back-off, with the time when it ends, and not a lack of capacity', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  await legion.crashed(issue, 'plan');
  await expect(dispatch({ issue, mode: 'plan' })).rejects.toMatchObject({
    code: 'worker.backing_off',
    retryAt: expect.any(Number),
  });
});

test('uses the session version that the request specifies', async () => {
  const issue = await legion.issue('Todo');
  expect(await dispatch({ issue, mode: 'plan', version: 3 })).toMatchObject({ version: 3 });
});

test('starts no worker for an unknown issue', async () => {
  await expect(dispatch({ issue: 'DEMO-999', mode: 'plan' })).rejects.toMatchObject({
    code: 'tracker.issue_unknown',
  });
});

test('starts no worker while any worker of the issue is live or waiting, not even by force', async () => {
  const issue = await legion.issue('Todo');
  const about = await legion.dispatched(issue, 'plan');
  await expect(dispatch({ issue, mode: 'plan' })).rejects.toMatchObject({ code: 'worker.exists' });
  await expect(dispatch({ issue, mode: 'test', force: true })).rejects.toThrow(`${issue}-plan`.toLowerCase());
  await legion.append({ type: 'attempt.waiting', ...about, wait: 1, for: 'user' });
  await expect(dispatch({ issue, mode: 'plan' })).rejects.toMatchObject({ code: 'worker.exists' });
  expect(await legion.ordered(issue)).toEqual([]);
});

test('starts no worker that has reached its crash limit, not even by force', async () => {
  const issue = await legion.issue('Todo');
  for (let life = 0; life < 2; life += 1) {
    await legion.dispatched(issue, 'plan');
    await legion.crashed(issue, 'plan');
  }
  await expect(dispatch({ issue, mode: 'plan', force: true })).rejects.toMatchObject({
    code: 'worker.crash_limit',
  });
});

test('starts only reviewers while no slot is free', async () => {
  for (let taken = 0; taken < 3; taken += 1) await legion.dispatched(await legion.issue('Todo'), 'plan');
  const issue = await legion.issue('Todo');
  await expect(dispatch({ issue, mode: 'plan' })).rejects.toMatchObject({
    code: 'worker.no_capacity',
    retryable: true,
  });
  const reviewed = await legion.issue('Needs Review');
  await legion.pullRequest(reviewed);
  expect(await dispatch({ issue: reviewed, mode: 'review' })).toMatchObject({ mode: 'review' });
});

test('starts no worker while starts are paused or the machine lacks disk or memory', async () => {
  const issue = await legion.issue('Todo');
  await legion.desks.operator.pause(undefined, 'ada', 'maintenance');
  const { state } = await legion.desks.operator.explain(issue);
  expect(state.reason).toBe('legion_paused');
  expect(state.evidence).toEqual(expect.arrayContaining(['by=ada', expect.stringContaining('maintenance')]));
  const refused = dispatch({ issue, mode: 'plan' });
  await expect(refused).rejects.toMatchObject({ code: 'worker.no_capacity' });
  await expect(refused).rejects.toThrow('paused by ada: maintenance');
  await expect(refused).rejects.not.toThrow('died');
  await legion.desks.operator.resume(undefined, 'ada');
  legion.settings = { requiredResources: { diskBytes: Number.MAX_SAFE_INTEGER, memoryBytes: 0 } };
  await expect(dispatch({ issue, mode: 'plan' })).rejects.toThrow('bytes of disk');
});

test('starts no worker for a paused issue, not even by force, until it is resumed', async () => {
  const issue = await legion.issue('Todo');
  await legion.desks.operator.pause(issue, 'ada', 'wait');
  for (const force of [false, true])
    await expect(dispatch({ issue, mode: 'plan', force })).rejects.toMatchObject({
      code: 'issue.paused',
      fault: { next: `Run \`legion resume ${issue}\` first.` },
    });
  expect(await legion.ordered(issue)).toEqual([]);
  await legion.desks.operator.resume(issue, 'ada');
  expect(await dispatch({ issue, mode: 'plan' })).toMatchObject({ status: 'spawned' });
});

test('keeps the required gap between two starts', async () => {
  legion.settings = { staggerMs: 60 };
  const first = await legion.issue('Todo');
  await legion.dispatched(first, 'plan');
  const second = await legion.issue('Todo');
  await dispatch({ issue: second, mode: 'plan' });
  expect(dispatchedAt(second) - dispatchedAt(first)).toBeGreaterThanOrEqual(60);
});

test.each(['architect', 'plan', 'test', 'review', 'merge'] as const)(
  'refuses to start the %s worker out of order for an issue in progress, and says which step is due',
  async (mode) => {
    const issue = await legion.issue('In Progress');
    const refused = dispatch({ issue, mode });
    await expect(refused).rejects.toMatchObject({ code: 'worker.out_of_order' });
    await expect(refused).rejects.toThrow(/dispatch_implementer. This phase/);
    expect(await legion.ordered(issue)).toEqual([]);
  },
);

test('refuses a dispatch while another step of the issue is being carried out', async () => {
  const issue = await legion.issue('Todo');
  const intent = legion.world.ledger.state.lastIntent + 1;
  await legion.append({ type: 'intent.opened', intent, command: { kind: 'reread_forge', issue } });
  await expect(dispatch({ issue, mode: 'plan' })).rejects.toThrow('being carried out');
});

test('`force` starts a worker out of phase order; the journal and a comment on the issue say who forced it', async () => {
  const issue = await legion.issue('Backlog', ['worker-done', 'needs-approval']);
  await dispatch({ issue, mode: 'test', force: true, by: 'ada' });
  expect(await legion.ordered(issue)).toMatchObject([{ kind: 'spawn', mode: 'test', purpose: 'start' }]);
  expect(legion.world.ledger.state.issues.get(issue)?.decision).toMatchObject({
    action: 'dispatch_tester',
    reason: 'forced',
    evidence: ['by=ada', 'due=skip', 'due_reason=waits_for_approval'],
  });
  expect(await legion.comments(issue)).toMatchObject([
    { author: 'legion', text: expect.stringContaining('by ada with --force') },
  ]);
});

test('a forced start that fails keeps the labels of the finished phase', async () => {
  const issue = await legion.issue('Backlog', ['worker-done', 'needs-approval']);
  legion.obstruct(issue);
  await expect(dispatch({ issue, mode: 'test', force: true })).rejects.toMatchObject({
    code: 'host.start_failed',
  });
  expect(legion.desks.health().troubles).toMatchObject([{ code: 'workspace.foreign' }]);
  expect(legion.desks.workers.get(`${issue}-test`)).toMatchObject({ status: 'crashed', attempt: 1 });
  const labels = computeEffectiveLabels(await legion.labels(issue), legion.world.ledger.state, issue);
  expect([...labels].sort()).toEqual(['needs-approval', 'worker-done']);
});

test('a dispatch with `force` is treated as an ordinary dispatch if the worker is due anyway', async () => {
  const issue = await legion.issue('Todo');
  await dispatch({ issue, mode: 'plan', force: true });
  expect(legion.world.ledger.state.issues.get(issue)?.decision?.reason).toBe('due');
  expect(await legion.comments(issue)).toEqual([]);
});

test('starts only one worker for two concurrent dispatches', async () => {
  const issue = await legion.issue('Todo');
  const both = await Promise.allSettled([
    dispatch({ issue, mode: 'plan' }),
    dispatch({ issue, mode: 'plan' }),
  ]);
  const workers = [...legion.world.ledger.state.workers.values()].filter((worker) => worker.issue === issue);
  expect(both.map(({ status }) => status)).toContain('fulfilled');
  expect(workers).toMatchObject([{ mode: 'plan', attempt: 1 }]);
});

test('starts a worker on untrusted issue text only by force', async () => {
  const issue = await legion.issue('Todo');
  const { tracker } = legion.world;
  const { mayDispatch } = tracker;
  Object.assign(tracker, { mayDispatch: () => ({ allowed: false, why: 'an outsider wrote it' }) });
  try {
    await expect(dispatch({ issue, mode: 'plan' })).rejects.toThrow('an outsider wrote it');
    const { issues } = await legion.desks.operator.collect({});
    expect(issues[issue]).toMatchObject({ suggestedAction: 'skip', reason: 'not_trusted' });
    expect(await dispatch({ issue, mode: 'plan', force: true })).toMatchObject({ status: 'spawned' });
  } finally {
    Object.assign(tracker, { mayDispatch });
  }
});

test.each([
  [{ GITHUB_TOKEN: 'x' }, 'looks like a secret'],
  [{ NOTE: 'ghp_abcdef' }, 'looks like a secret'],
  [{ 'A B': 'x' }, 'not a valid name'],
  [{ A: 'x\0y' }, 'NUL'],
])('refuses a harmful environment without claiming an attempt: %j', async (env, why) => {
  const issue = await legion.issue('Todo');
  const refused = dispatch({ issue, mode: 'plan', env });
  await expect(refused).rejects.toMatchObject({ code: 'input.invalid' });
  await expect(refused).rejects.toThrow(why);
});

test.each([
  ...[
    'NODE_OPTIONS',
    'NODE_PATH',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'ENV',
  ],
  ...['PYTHONPATH', 'PYTHONSTARTUP', 'PERL5LIB', 'PERL5OPT', 'RUBYOPT', 'JAVA_TOOL_OPTIONS'],
  ...[
    'GIT_SSH_COMMAND',
    'GIT_AUTHOR_NAME',
    'GIT_CONFIG_COUNT',
    'PATH',
    'HOME',
    'LEGION_ISSUE',
    'LEGION_SOCKET',
  ],
])('refuses to set %s for a worker, and does not claim an attempt', async (name) => {
  const issue = await legion.issue('Todo');
  const refused = dispatch({ issue, mode: 'plan', env: { DEPTH: '2', [name]: 'x' }, force: true });
  await expect(refused).rejects.toMatchObject({
    code: 'worker.env_refused',
    message: `${name} cannot be set for a worker.`,
  });
  expect(legion.world.ledger.state.workers.get(toWorkerId(issue as IssueId, 'plan'))).toBeUndefined();
});

test('refuses a repository that does not belong to the issue', async () => {
  const issue = await legion.issue('Todo');
  await expect(dispatch({ issue, mode: 'plan', repo: 'other' })).rejects.toMatchObject({
    code: 'input.invalid',
  });
  expect(await dispatch({ issue, mode: 'plan', repo: 'repository' })).toMatchObject({ mode: 'plan' });
});

function dispatchedAt(issue: string): number {
  return legion.world.ledger.state.workers.get(toWorkerId(issue, 'plan'))?.facts.dispatchedAt ?? Number.NaN;
}

function dispatch(request: Partial<DispatchRequest>) {
  return legion.desks.workers.dispatch(dispatchRequest.parse(request));
}
