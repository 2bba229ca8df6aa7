import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { computeSessionId } from '../../../src/core/model/ids.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import { pruneAnswer } from '../../../src/protocol/operator.ts';
import {
  dispatchRequest,
  logsAnswer,
  promptAnswer,
  workerSchema,
  workerStatusSchema,
} from '../../../src/protocol/workers.ts';
import { type DeskLegion, deskLegion } from './legion.ts';
import { repeated, SOON } from './repeater.ts';

let legion: DeskLegion;
let desk: DeskLegion['desks']['workers'];

beforeAll(async () => {
  legion = await deskLegion();
  desk = legion.desks.workers;
  legion.settings = { slots: { workers: 100, perMode: {} } };
});
afterEach(() => legion.leave());
afterAll(() => legion.close());

const says = (text: string) => ({ text, by: 'ada', interrupt: false });

const list = (finished?: 'all') => desk.list({ active: false, finished });

test('shows the current attempt of each worker, and finds a worker by its id, ignoring case', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  await legion.crashed(issue, 'plan');
  await legion.dispatched(issue, 'plan');
  const shown = desk.get(`${issue}-PLAN`);
  expect(workerSchema.parse(shown)).toEqual(shown);
  expect(shown).toMatchObject({
    issue,
    mode: 'plan',
    attempt: 2,
    status: 'spawned',
    crashes: 1,
    crashCount: 1,
  });
  expect(await list()).toContainEqual(shown);
});

test('the status of a worker includes its health and its workspace', async () => {
  const issue = await legion.issue('Todo');
  await started(issue, 'plan');
  const path = (await legion.world.workspaces.find(issue))?.path;
  const status = await desk.status(id(issue, 'plan'));
  expect(workerStatusSchema.parse(status)).toEqual(status);
  expect(status).toMatchObject({
    workspace: path,
    health: { verdict: 'starting', evidence: expect.arrayContaining(['process=alive, identity matches']) },
  });
});

test('every command reports an unknown worker as unknown', async () => {
  const unknown = { code: 'worker.unknown' };
  expect(() => desk.get('nobody-plan')).toThrow('nobody-plan');
  await expect(desk.status('nobody-plan')).rejects.toMatchObject(unknown);
  await expect(desk.prompt('nobody-plan', says('x'))).rejects.toMatchObject(unknown);
  await expect(desk.environment('nobody-plan')).rejects.toMatchObject(unknown);
  await expect(desk.stop('nobody-plan', { by: 'ada', restart: false })).rejects.toMatchObject(unknown);
  await expect(desk.reversion('nobody-plan', 1)).rejects.toMatchObject(unknown);
  await expect(desk.resetCrashes('nobody-plan', 'ada')).rejects.toMatchObject(unknown);
  await expect(desk.logs('nobody-plan', { stream: 'out' })).rejects.toMatchObject(unknown);
});

test('a prompt to a busy worker waits for its next turn', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  const answer = await desk.prompt(id(issue, 'plan'), says('Mind the dates.'));
  expect(promptAnswer.parse(answer)).toMatchObject({ delivery: 'queued' });
  expect(legion.world.ledger.state.messages.get(answer.message)).toMatchObject({
    to: id(issue, 'plan'),
    body: 'From operator ada:\n\nMind the dates.',
  });
  expect(await legion.ordered(issue)).toEqual([]);
});

test('a prompt to an idle worker starts its next turn', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  await legion.finished(issue, 'plan');
  expect(await desk.prompt(id(issue, 'plan'), says('One more thing.'))).toMatchObject({
    delivery: 'delivered',
  });
  expect(await legion.ordered(issue)).toEqual([
    { kind: 'spawn', issue, mode: 'plan', attempt: 2, purpose: 'operator', version: 0, agent: 'scripted' },
  ]);
  await repeated(desk, id(issue, 'plan'), 'From operator ada:\n\nOne more thing.');
});

test('a prompt sent with `onlyIfWorking` does not restart a finished phase', async () => {
  const issue = await legion.issue('In Progress');
  await legion.dispatched(issue, 'plan');
  await legion.finished(issue, 'plan');
  const line = { ...says('One more thing.'), onlyIfWorking: true };
  await expect(desk.prompt(id(issue, 'plan'), line)).rejects.toMatchObject({
    code: 'worker.ended',
    message: expect.stringContaining('-plan is finished, so the message was not sent.'),
    fault: { next: `Run \`legion prompt ${issue} --mode plan "…"\` to start it again.` },
  });
  await legion.dispatched(issue, 'implement');
  await expect(desk.prompt(id(issue, 'plan'), line)).rejects.toMatchObject({
    message: expect.stringContaining(`Now ${id(issue, 'implement')} is spawned.`),
    fault: { next: expect.stringContaining(`\`legion view ${issue}\``) },
  });
  expect(desk.get(id(issue, 'plan'))).toMatchObject({ attempt: 1, status: 'finished' });
  const messages = [...legion.world.ledger.state.messages.values()];
  expect(messages.filter(({ to }) => to === id(issue, 'plan'))).toEqual([]);
});

test('a prompt on a Done issue is refused, and starts no worker', async () => {
  const issue = await legion.issue('Done');
  await legion.dispatched(issue, 'plan');
  await legion.finished(issue, 'plan');
  await expect(desk.prompt(id(issue, 'plan'), says('One more thing.'))).rejects.toMatchObject({
    code: 'issue.over',
  });
  expect(await legion.ordered(issue)).toEqual([]);
  expect(await legion.labels(issue)).toEqual([]);
  expect(messagesTo(id(issue, 'plan'))).toEqual([]);
});

test('a prompt does not start a worker of a paused issue, but can still reach a running one', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  await legion.desks.operator.pause(issue, 'ada', 'wait for the design');
  expect(await desk.prompt(id(issue, 'plan'), says('Mind the dates.'))).toMatchObject({ delivery: 'queued' });
  await legion.finished(issue, 'plan');
  for (const onlyIfWorking of [false, true])
    await expect(desk.prompt(id(issue, 'plan'), { ...says('Go on.'), onlyIfWorking })).rejects.toMatchObject({
      code: 'issue.paused',
      message: `No worker starts for ${issue}. Paused by ada: wait for the design.`,
      fault: { next: `Run \`legion resume ${issue}\` first.` },
    });
  expect(await legion.ordered(issue)).toEqual([]);
  expect(messagesTo(id(issue, 'plan'))).toHaveLength(1);
  await legion.desks.operator.resume(issue, 'ada');
  expect(await desk.prompt(id(issue, 'plan'), says('Go on.'))).toMatchObject({ delivery: 'delivered' });
});

test('a prompt to an idle worker waits while another worker of the issue is running', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'architect');
  await legion.finished(issue, 'architect');
  await legion.dispatched(issue, 'plan');
  const answer = await desk.prompt(id(issue, 'architect'), says('And this.'));
  expect(answer).toMatchObject({ delivery: 'queued', says: expect.stringContaining(id(issue, 'plan')) });
  expect(await legion.ordered(issue)).toEqual([]);
});

test('a prompt that cannot start a turn immediately is queued once, and the response says why', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  await legion.finished(issue, 'plan');
  legion.obstruct(issue);
  const answer = await desk.prompt(id(issue, 'plan'), says('Go on.'));
  expect(answer).toMatchObject({ delivery: 'queued', says: expect.stringContaining('could not be started') });
  expect(messagesTo(id(issue, 'plan'))).toHaveLength(1);
});

test('a prompt to a worker with an open question counts as the answer', async () => {
  const issue = await legion.issue('Todo');
  const about = await legion.dispatched(issue, 'plan');
  await legion.append(
    { type: 'question.asked', ...about, question: 1, text: 'Which format?' },
    { type: 'attempt.waiting', ...about, wait: 1, for: 'user' },
  );
  const answer = await desk.prompt(id(issue, 'plan'), says('JSON.'));
  expect(answer).toMatchObject({ delivery: 'delivered', message: 1 });
  expect(legion.world.ledger.state.issues.get(issue)?.questions[1]?.answer).toMatchObject({
    by: 'ada',
    text: 'JSON.',
  });
  expect(messagesTo(id(issue, 'plan'))).toEqual([]);
});

test("a prompt to a worker clears the worker's undelivered messages that were set aside", async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  const message = legion.world.ledger.state.lastMessage + 1;
  await legion.append(
    { type: 'message.queued', message, to: id(issue, 'plan'), key: 'lost', body: 'hello' },
    { type: 'message.set_aside', message, why: 'not delivered in time' },
  );
  expect(await legion.desks.operator.inbox()).toContainEqual(
    expect.objectContaining({ kind: 'message', issue, next: `legion prompt ${issue} --mode plan "…"` }),
  );
  await desk.prompt(id(issue, 'plan'), says('hello again'));
  expect(messagesTo(id(issue, 'plan'))).toMatchObject([{ body: expect.stringContaining('hello again') }]);
});

test("shows the names and values of a worker's environment, without secrets", async () => {
  const issue = await legion.issue('Todo');
  const about = await legion.dispatched(issue, 'plan');
  const intent = legion.world.ledger.state.lastIntent + 1;
  const command = { kind: 'spawn', ...about, version: 0, purpose: 'crash', env: { DEPTH: '2' } } as const;
  await legion.append(
    { type: 'intent.opened', intent, command },
    { type: 'intent.settled', intent, outcome: 'done', detail: '' },
  );
  const environment = await desk.environment(id(issue, 'plan'));
  expect(environment).toMatchObject({
    LEGION_ISSUE: issue,
    LEGION_MODE: 'plan',
    LEGION_ATTEMPT: '1',
    LEGION_PURPOSE: 'crash',
    LEGION_WORKER_TOKEN: '[redacted]',
    DEPTH: '2',
    GIT_AUTHOR_NAME: 'Legion plan',
  });
  expect(JSON.stringify(environment)).not.toContain(legion.world.tokens.createToken(about));
});

test('a stop request makes the loop stop the worker, but has no effect if the worker has exited', async () => {
  const issue = await legion.issue('Todo');
  await started(issue, 'plan');
  await desk.stop(id(issue, 'plan'), { by: 'ada', restart: true });
  expect(desk.get(id(issue, 'plan')).status).toBe('stopped');
  const about = { issue, mode: 'plan', attempt: 1 } as const;
  const stop = { kind: 'stop', ...about, evidence: ['stopped by ada'] };
  const exit = () => legion.world.ledger.state.workers.get(id(issue, 'plan'))?.exit;
  await vi.waitFor(() => expect(exit()).toMatchObject({ signal: 'SIGTERM' }), SOON);
  expect(await legion.ordered(issue)).toEqual([expect.objectContaining({ kind: 'spawn' }), stop]);
  expect((await desk.stop(id(issue, 'plan'), { by: 'ada', restart: true })).says).toContain('is not running');
  expect(await legion.ordered(issue)).toHaveLength(2);
});

test('a new session version applies from the next start, and is refused while the worker is live', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  await expect(desk.reversion(id(issue, 'plan'), 1)).rejects.toMatchObject({ code: 'worker.exists' });
  await legion.crashed(issue, 'plan');
  const view = await desk.reversion(id(issue, 'plan'), 1);
  expect(view).toMatchObject({
    version: 1,
    status: 'stopped',
    sessionId: computeSessionId('demo', issue, 'plan', 1),
  });
  expect(await desk.reversion(id(issue, 'plan'), 1)).toEqual(view);
  expect(await legion.ordered(issue)).toEqual([]);
});

test('resets a worker’s crash count in the operator’s name, and does nothing when repeated', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  await legion.crashed(issue, 'plan');
  expect((await desk.resetCrashes(id(issue, 'plan'), 'ada')).says).toContain('was reset');
  expect(desk.get(id(issue, 'plan')).crashes).toBe(0);
  const { version } = legion.world.ledger;
  expect((await desk.resetCrashes(id(issue, 'plan'), 'ada')).says).toContain('no crash');
  expect(legion.world.ledger.version).toBe(version);
});

test('keeps a workspace while it is needed or contains work, and removes it when its issue is finished', async () => {
  const issue = await legion.issue('Testing');
  await legion.dispatched(issue, 'implement');
  const { path } = await legion.world.workspaces.ensure(issue, legion.repository);
  const remove = () => desk.removeWorkspace(id(issue, 'implement'));
  await expect(remove()).rejects.toMatchObject({ code: 'workspace.in_use' });
  await legion.finished(issue, 'implement');
  await expect(remove()).rejects.toThrow('Testing');
  await legion.desks.issues.move(issue, 'Done');
  writeFileSync(join(path, 'notes.txt'), 'mine');
  await expect(remove()).rejects.toMatchObject({ code: 'workspace.holds_work' });
  await expect(remove()).rejects.toThrow('notes.txt');
  rmSync(join(path, 'notes.txt'));
  expect((await remove()).says).toContain('was removed');
  expect((await remove()).says).toContain('has no workspace');
});

test('prunes only the records of issues that are finished and cleaned up, and only once', async () => {
  const over = await legion.issue('Done');
  const open = await legion.issue('Testing');
  const kept = await legion.issue('Done');
  for (const issue of [over, open, kept]) {
    await legion.dispatched(issue, 'plan');
    await legion.finished(issue, 'plan');
    await legion.desks.operator.writeHandoff(issue, 'plan', { summary: 'the plan' });
  }
  await legion.world.workspaces.ensure(kept, legion.repository);
  const { pruned, kept: needed } = await desk.prune({});
  expect(needed).toEqual([]);
  expect(pruned).toContain(over);
  expect(pruned).not.toContain(open);
  expect(pruned).not.toContain(kept);
  expect(await legion.desks.operator.handoffs(over)).toEqual({ handoffs: {} });
  expect((await list('all')).map(({ issue }) => issue)).not.toContain(over);
  expect(await desk.prune({})).toEqual({ pruned: [], kept: [] });
});

test('prunes named issues, says why it keeps others, and ignores issues without records', async () => {
  const [over, open, kept] = [
    await legion.issue('Done'),
    await legion.issue('Testing'),
    await legion.issue('Done'),
  ];
  for (const issue of [over, open, kept])
    await legion.desks.operator.writeHandoff(issue, 'plan', { summary: 'the plan' });
  await legion.world.workspaces.ensure(kept, legion.repository);
  const request = { issueIds: [over, open, kept, 'DEMO-999'] };
  const answer = await desk.prune(request);
  expect(pruneAnswer.parse(answer)).toEqual({
    pruned: [over],
    kept: [
      { issue: open, why: 'the issue is not finished' },
      { issue: kept, why: 'its workspace still exists' },
    ],
  });
  expect(await desk.prune(request)).toMatchObject({ pruned: [] });
});

test('the list leaves out workers of finished issues once their workspace is removed', async () => {
  const issue = await legion.issue('Testing');
  await legion.dispatched(issue, 'implement');
  const { path } = await legion.world.workspaces.ensure(issue, legion.repository);
  const listed = async (finished?: 'all') => (await list(finished)).find((worker) => worker.issue === issue);
  expect(await listed()).toMatchObject({ id: id(issue, 'implement'), workspace: path });
  const active = await desk.list({ active: true });
  expect(active.map((worker) => worker.id)).toContain(id(issue, 'implement'));
  await legion.finished(issue, 'implement');
  expect((await desk.list({ active: true })).map((worker) => worker.id)).not.toContain(
    id(issue, 'implement'),
  );
  await legion.desks.issues.move(issue, 'Done');
  expect(await listed()).toMatchObject({ workspace: path });
  await desk.removeWorkspace(id(issue, 'implement'));
  await legion.control.reconcile(issue);
  expect(await listed()).toBeUndefined();
  expect(await listed('all')).toMatchObject({ status: 'finished' });
});

test('removing the workspace of an unknown worker does nothing, and a wrong repository is refused', async () => {
  expect((await desk.removeWorkspace('nobody-plan', 'a/b')).says).toContain('nothing was removed');
  const issue = await legion.issue('Done');
  await legion.dispatched(issue, 'plan');
  await legion.finished(issue, 'plan');
  await expect(desk.removeWorkspace(id(issue, 'plan'), 'other/repo')).rejects.toMatchObject({
    code: 'input.invalid',
  });
  expect((await desk.removeWorkspace(id(issue, 'plan'), 'repository')).says).toContain('has no workspace');
});

test('the log of a worker can be read in pieces from any offset, without its token', async () => {
  const issue = await legion.issue('Todo');
  const about = await legion.dispatched(issue, 'plan');
  expect(await desk.logs(id(issue, 'plan'), { offset: 0, stream: 'out' })).toMatchObject({
    text: '',
    more: false,
  });
  const token = legion.world.tokens.createToken(about);
  await printed(
    about,
    `printf '%s\\n' "token ${token}"; head -c 400000 /dev/zero | tr '\\0' x; echo; echo end`,
  );
  const first = await desk.logs(id(issue, 'plan'), { offset: 0, stream: 'out' });
  expect(first.text).toMatch(/^token \[redacted\]\nx+$/);
  expect(first).toMatchObject({ worker: id(issue, 'plan'), attempt: 1, more: true, nextOffset: 256 * 1_024 });
  const rest = await desk.logs(id(issue, 'plan'), { offset: first.nextOffset, stream: 'out' });
  expect(rest.text).toMatch(/x\nend\n$/);
  expect(rest.more).toBe(false);
  await expect(desk.logs(id(issue, 'plan'), { attempt: 7, offset: 0, stream: 'out' })).rejects.toMatchObject({
    code: 'input.invalid',
  });
});

test('the log of a worker can be read from near its end and then continued', async () => {
  const issue = await legion.issue('Todo');
  const about = await legion.dispatched(issue, 'plan');
  const worker = id(issue, 'plan');
  const toCome = await desk.logs(worker, { last: 100, stream: 'out' });
  expect(toCome).toEqual({ worker, attempt: 1, offset: 0, text: '', nextOffset: 0, more: false });
  await printed(about, 'seq -f "line %06.0f" 1 50000; echo oops >&2');
  const whole = 50_000 * 'line 000001\n'.length;
  const last = await desk.logs(worker, { last: 300_005, stream: 'out' });
  expect(logsAnswer.parse(last)).toEqual(last);
  expect(last).toMatchObject({ offset: whole - 300_000, more: true });
  expect(last.text).toMatch(/^line 025001\n/);
  const rest = await desk.logs(worker, { offset: last.nextOffset, stream: 'out' });
  expect(rest).toMatchObject({ offset: last.nextOffset, nextOffset: whole, more: false });
  expect(`${last.text}${rest.text}`.length).toBe(300_000);
  expect(rest.text).toMatch(/line 050000\n$/);
  expect(await desk.logs(worker, { last: 5_000, stream: 'err' })).toMatchObject({
    offset: 0,
    text: 'oops\n',
  });
});

/** Runs a real process of this attempt that prints text and exits. */
async function printed(
  about: { issue: string; mode: string; attempt: number },
  script: string,
): Promise<void> {
  const { host } = legion.world;
  const worker = id(about.issue, about.mode);
  const cwd = legion.repository;
  const started = await host.start({
    worker,
    attempt: about.attempt,
    argv: ['/bin/sh', '-c', script],
    cwd,
    env: {},
    stdin: '',
  });
  for (;;) {
    const { exit } = await host.observe(started);
    if (typeof exit === 'object' && 'at' in exit) return;
    await sleep(10);
  }
}

/** Starts a real worker of this mode. */
function started(issue: string, mode: Mode) {
  return desk.dispatch(dispatchRequest.parse({ issue, mode }));
}

function id(issue: string, mode: string): string {
  return `${issue}-${mode}`.toLowerCase();
}

function messagesTo(worker: string) {
  return [...legion.world.ledger.state.messages.values()].filter(({ to }) => to === worker);
}
