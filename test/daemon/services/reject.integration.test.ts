import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import { toWorkerId } from '../../../src/core/model/ids.ts';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import { collectPromptContext } from '../../../src/daemon/prompts/prompt-context.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

let legion: DeskLegion;
let desk: DeskLegion['desks']['operator'];

beforeAll(async () => {
  legion = await deskLegion();
  desk = legion.desks.operator;
});
afterAll(() => legion.close());

const reason = { by: 'ada', through: 'cli', why: 'Keep the old endpoint' } as const;
const { signal } = new AbortController();

test('a rejected specification returns to the architect with the reason', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await specify(issue, 1);
  const answer = await desk.reject(issue, reason);
  expect(answer).toEqual({
    rejected: 'specification',
    says: `The specification of ${issue} is rejected. It goes back to Backlog, and the architect worker continues with your reason.`,
  });
  expect(await legion.comments(issue)).toMatchObject([
    { author: 'ada', text: 'The specification is rejected: Keep the old endpoint' },
  ]);
  expect(await desk.inbox()).not.toContainEqual(expect.objectContaining({ issue }));

  const plan = await legion.control.preview(issue);
  expect(plan.commands.map(({ command }) => command)).toMatchObject([
    { kind: 'write_issue', add: ['worker-active'], remove: ['needs-approval', 'worker-done'] },
    { kind: 'put_comment', key: `${issue}:specification` },
    { kind: 'spawn', mode: 'architect', purpose: 'rejected' },
  ]);
  const spawn = plan.commands.map(({ command }) => command).find(({ kind }) => kind === 'spawn');
  if (spawn?.kind !== 'spawn') throw new Error('no spawn');
  const { contextBlocks } = await collectPromptContext(legion.world, spawn, signal);
  expect(contextBlocks.order).toEqual([
    { kind: 'decision', what: 'Why ada rejected the specification', text: 'Keep the old endpoint' },
  ]);
});

test('every reason reaches the worker if several people reject', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await specify(issue, 1);
  await desk.reject(issue, reason);
  await desk.reject(issue, { by: 'bob', through: 'comment', why: 'Too slow' });
  expect(legion.world.ledger.state.issues.get(issue)?.rejection?.reasons).toMatchObject([
    { by: 'ada', through: 'cli' },
    { by: 'bob', through: 'comment' },
  ]);
});

test('an approval after a rejection is refused, and a rejection after an approval wins', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await desk.approve(issue, { by: 'bob', through: 'cli' });
  expect((await desk.reject(issue, reason)).says).toContain('The earlier approval no longer counts.');
  expect((await legion.control.preview(issue)).decisions[0]).toMatchObject({
    action: 'resume_architect_for_changes',
    reason: 'rejected',
  });
  await expect(desk.approve(issue, { by: 'bob', through: 'cli' })).rejects.toMatchObject({
    code: 'approval.rejected',
    message: `ada has rejected the specification of ${issue}: Keep the old endpoint`,
  });
});

test('a rejected merge returns to the implementer, who keeps the reason after a crash', async () => {
  const issue = await legion.issue('Retro', ['needs-approval', 'worker-done', 'test-passed']);
  await legion.pullRequest(issue);
  expect((await desk.reject(issue, reason)).rejected).toBe('merge');
  const plan = await legion.control.preview(issue);
  expect(plan.commands.map(({ command }) => command)).toMatchObject([
    { kind: 'write_issue', moveTo: 'In Progress' },
    { kind: 'spawn', mode: 'implement', purpose: 'rejected' },
  ]);
  expect(plan.events.filter(({ type }) => type === 'round.counted')).toEqual([]);

  await legion.dispatched(issue, 'implement');
  await legion.crashed(issue, 'implement');
  const again = {
    kind: 'spawn',
    issue,
    mode: 'implement',
    attempt: 2,
    version: 0,
    purpose: 'crash',
  } as const;
  const { contextBlocks } = await collectPromptContext(legion.world, again, signal);
  expect(contextBlocks.order).toMatchObject([{ kind: 'decision', text: 'Keep the old endpoint' }]);

  await legion.dispatched(issue, 'implement');
  await legion.finished(issue, 'implement');
  expect(legion.world.ledger.state.issues.get(issue)?.rejection).toBeUndefined();
});

test('a rejected plan stops the implementer and returns to the planner', async () => {
  const issue = await legion.issue('In Progress', ['worker-active']);
  await legion.append(handoff(issue, 'plan', 1));
  await legion.dispatched(issue, 'implement');
  expect((await desk.reject(issue, reason)).rejected).toBe('plan');
  const worker = legion.world.ledger.state.workers.get(toWorkerId(issue, 'implement'));
  expect(worker && toLifecycleState(worker.facts)).toBe('stopped');
  const plan = await legion.control.preview(issue);
  expect(plan.commands.map(({ command }) => command)).toMatchObject([
    { kind: 'write_issue', moveTo: 'Todo' },
    { kind: 'put_comment', key: `${issue}:plan` },
    { kind: 'spawn', mode: 'plan', purpose: 'rejected' },
  ]);
});

test('a plan cannot be rejected once there is a pull request', async () => {
  const issue = await legion.issue('In Progress');
  await legion.append(handoff(issue, 'plan', 1));
  await legion.pullRequest(issue);
  await expect(desk.reject(issue, reason)).rejects.toMatchObject({ code: 'rejection.not_due' });
});

test.each([
  ['Triage', []],
  ['Todo', []],
  ['Testing', []],
  ['Retro', []],
  ['Todo', ['rollback', 'needs-approval']],
] as const)('an issue in %s with labels %j has nothing to reject', async (status, labels) => {
  const issue = await legion.issue(status, labels);
  await expect(desk.reject(issue, reason)).rejects.toMatchObject({ code: 'rejection.not_due' });
  expect(legion.world.ledger.state.issues.get(issue)?.rejection).toBeUndefined();
  expect(await legion.comments(issue)).toEqual([]);
});

test('a rejection ends when a person moves the issue elsewhere', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await desk.reject(issue, reason);
  const board = { issue, title: 'Moved', column: 'Icebox', status: 'Icebox' } as const;
  const sight = (legion.world.ledger.state.board.get(issue)?.sight ?? 0) + 1;
  await legion.append({ type: 'issue.sighted', sight, ...board });
  expect(legion.world.ledger.state.issues.get(issue)?.rejection).toBeUndefined();
});

test('describes the specification in full, and a merge with its change and conditions', async () => {
  const specified = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await specify(specified, 1);
  const { approval } = await desk.explain(specified);
  expect(approval).toMatchObject({ subject: 'specification', version: 'specification-1', gates: [] });
  expect(approval?.text).toBe('Greet by name\n\nDecided:\n- In English\n\nTests:\n- greet ada prints ada');

  const finished = await legion.issue('Retro', ['needs-approval', 'worker-done']);
  const { number, head } = await legion.pullRequest(finished);
  const { approval: merge } = await desk.approve(finished, { by: 'ada', through: 'cli' });
  expect(merge).toMatchObject({
    subject: 'merge',
    version: head,
    change: { pullRequest: number, headSha: head, additions: 1, deletions: 0, files: [`${finished}.txt`] },
    gates: expect.arrayContaining([expect.objectContaining({ name: 'tests_passed', verdict: 'fail' })]),
  });
  expect(merge.text).toContain(`Pull request ${number} at commit ${head.slice(0, 10)}: 1 file, +1 -0`);
});

test('an approval of something that has changed since it was shown is refused', async () => {
  const issue = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  await specify(issue, 1);
  const version = (await desk.explain(issue)).approval?.version;
  await specify(issue, 2);
  await expect(desk.approve(issue, { by: 'ada', through: 'cli', version })).rejects.toMatchObject({
    code: 'approval.changed',
  });
  expect(await legion.labels(issue)).not.toContain('human-approved');
});

function specify(issue: string, revision: number): Promise<void> {
  return legion.append(handoff(issue, 'architect', revision));
}

function handoff(issue: string, phase: 'architect' | 'plan', revision: number): EventBody {
  const content = { summary: 'Greet by name', decided: ['In English'], tests: ['greet ada prints ada'] };
  return { type: 'handoff.written', issue, phase, revision, content };
}
