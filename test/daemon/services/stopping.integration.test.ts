/** Tests stopping one worker or all of them, with real processes, a real journal and a real board. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { IssueId } from '../../../src/core/model/ids.ts';
import { computeEffectiveLabels } from '../../../src/core/state/effective-labels.ts';
import { setWorker } from '../../../src/core/state/workers.ts';
import { stopAttempt } from '../../../src/daemon/commands/stop.ts';
import { requireWorker } from '../../../src/daemon/services/workers/known-worker.ts';
import { haltAnswer, stopAnswer } from '../../../src/protocol/operator.ts';
import { dispatchRequest } from '../../../src/protocol/workers.ts';
import { type DeskLegion, deskLegion } from './legion.ts';
import { SOON } from './repeater.ts';

let legion: DeskLegion;

beforeAll(async () => {
  legion = await deskLegion();
  legion.settings = { slots: { workers: 100, perMode: {} } };
});
afterEach(async () => {
  await legion.leave();
  await legion.desks.operator.resume(undefined, 'ada').catch(() => undefined);
});
afterAll(() => legion.close());

const HOLD = { by: 'ada', restart: false };

test('stopping a worker holds its issue in the journal and on the board, and the response explains how to continue', async () => {
  const { issue, id } = await running();
  const said = stopAnswer.parse(await legion.desks.workers.stop(id, HOLD));
  expect(said.held).toBe(true);
  expect(said.says).toContain(`${id} is stopping (`);
  expect(said.says).toContain(`\`legion resume ${issue}\``);
  expect(legion.desks.workers.get(id).status).toBe('stopped');
  expect(await legion.labels(issue)).toContain('legion-paused');
  expect(await legion.comments(issue)).toMatchObject([
    { author: 'ada', text: 'Paused by ada: stopped the plan worker' },
  ]);
  expect((await legion.desks.operator.explain(issue)).state).toMatchObject({ reason: 'paused' });
  await gone(id);
  expect(await inboxText(issue)).toBe('Paused by ada: stopped the plan worker.');
  expect(legion.desks.workers.get(id).crashes).toBe(0);
  await legion.desks.operator.resume(issue, 'ada');
  expect((await legion.desks.operator.explain(issue)).state.reason).not.toBe('paused');
});

test('closing an issue stops its worker, which is shown as stopping until its process has exited', async () => {
  const { issue, id } = await running();
  await legion.desks.issues.close(issue);
  const stopping = { since: expect.any(Number), graceEndsAt: expect.any(Number), why: `${issue} was closed` };
  expect(legion.desks.workers.get(id)).toMatchObject({ status: 'stopped', stopping });
  const { issues } = await legion.desks.operator.collect({ lastSeen: false });
  expect(issues[issue]).toMatchObject({ status: 'terminal', workerStopping: stopping });
  await gone(id);
  expect(legion.desks.workers.get(id).stopping).toBeUndefined();
});

test('every command reports the same stop and its remaining grace period while the process is still running', async () => {
  const { issue, id } = await running();
  legion.settings = { ...legion.settings, health: { stopGrace: 3_600_000 } };
  const words = 'stopping (at most 1h of its grace period left)';
  expect((await legion.desks.workers.stop(id, HOLD)).says).toContain(`${id} is ${words}.`);
  const { stopping } = legion.desks.workers.get(id);
  expect(stopping).toMatchObject({ why: 'stopped by ada' });
  const explained = await legion.desks.operator.explain(issue);
  expect(explained.state.says).toMatch(/^Paused by ada: .*\. The plan worker is stopping \(.*1h of its/);
  expect(explained).toMatchObject({ since: stopping?.since, workers: [{ stopping }] });
  expect(legion.desks.health().workers).toMatchObject({ stopping: 1 });
  expect(await inboxText(issue)).toContain(`${id} is stopping (`);
  expect((await legion.desks.operator.inbox()).find((item) => item.issue === issue)?.since).toBe(
    stopping?.since,
  );
  expect((await legion.desks.workers.stop(id, HOLD)).says).toContain(`${id} is already stopping (`);
  const halted = await legion.desks.operator.halt('ada', 'now');
  expect(halted.says).toContain(`${id} is stopping (`);
  expect(halted.says).not.toContain('No worker was running');
  await gone(id);
});

test('an issue that a person moves to Done is finished only when its worker has exited', async () => {
  const { issue, id } = await running();
  legion.settings = { ...legion.settings, health: { stopGrace: 3_600_000 } };
  expect(await legion.desks.issues.move(issue, 'Done')).toMatchObject({
    status: 'Done',
    stoppedWorkers: [{ mode: 'plan', stopping: { why: `${issue} was moved to Done` } }],
  });
  const { state } = await legion.desks.operator.explain(issue);
  expect(state.says).toMatch(/^The issue is Done\. The plan worker is stopping \(.* was moved to Done; /);
  expect(state.until.what).toBe('nothing more will happen once that worker has ended');
  await legion.desks.operator.halt('ada', 'now');
  await gone(id);
});

test('the response to moving an issue with a running worker to Backlog says that Legion will start work on the issue again', async () => {
  legion.settings = { slots: { workers: 100, perMode: {} } };
  const { issue, id } = await running();
  const moved = await legion.desks.issues.move(issue, 'Backlog');
  expect(moved.notes).toEqual([
    `Legion will start work on ${issue} again, because it is in Backlog. To prevent that, run \`legion pause ${issue}\` or move it to Icebox.`,
  ]);
  await gone(id);
  const other = await running();
  expect((await legion.desks.issues.move(other.issue, 'Icebox')).notes).toBeUndefined();
  await gone(other.id);
});

test('a stop that the next daemon continues keeps its original deadline', async () => {
  const { id } = await running();
  legion.settings = { ...legion.settings, health: { stopGrace: 3_600_000 } };
  await legion.desks.workers.stop(id, { by: 'ada', restart: true });
  const { state } = legion.world.ledger;
  const worker = requireWorker(state, id);
  // Simulates a restart in which the stop order is carried out again, an hour after the order was
  // given.
  setWorker(state, id, { ...worker, facts: { ...worker.facts, stoppedAt: Date.now() - 3_600_000 } });
  const { issue, mode, attempt } = worker;
  const again = { kind: 'stop' as const, issue, mode, attempt, evidence: [] };
  await stopAttempt(legion.world, again, AbortSignal.timeout(SOON.timeout));
  await gone(id);
});

test('the response to a resume lists the workers whose processes are still being stopped', async () => {
  const { id } = await running();
  legion.settings = { ...legion.settings, health: { stopGrace: 3_600_000 } };
  await legion.desks.workers.stop(id, { by: 'ada', restart: true });
  await legion.desks.operator.pause(undefined, 'ada', 'wait');
  const { says } = await legion.desks.operator.resume(undefined, 'ada');
  expect(says).toContain(`${id} is stopping (at most 1h of its grace period left).`);
  await legion.desks.operator.halt('ada', 'now');
  await gone(id);
});

test('stopping a worker with `restart` does not hold its issue, and the response says that the daemon starts the worker again', async () => {
  const { issue, id } = await planning();
  const said = await legion.desks.workers.stop(id, { by: 'ada', restart: true });
  expect(said).toMatchObject({ held: false, says: expect.stringContaining('starts it again') });
  expect(await legion.labels(issue)).not.toContain('legion-paused');
  legion.settings = { ...legion.settings, autoAdvance: false };
  expect((await legion.desks.workers.stop(id, { by: 'ada', restart: true })).says).toContain(
    'legion advance',
  );
  legion.settings = { slots: { workers: 100, perMode: {} } };
});

test('the response to a prompt for a restarting worker says that the worker is stopping and when to resend the message', async () => {
  const { issue, id } = await running();
  legion.settings = { ...legion.settings, health: { stopGrace: 3_600_000 } };
  await legion.desks.workers.stop(id, { by: 'ada', restart: true });
  const send = () =>
    legion.desks.workers.prompt(id, { text: 'x', by: 'ada', interrupt: false, onlyIfWorking: true });
  await expect(send()).rejects.toMatchObject({
    code: 'worker.ended',
    message: expect.stringMatching(
      / is stopping \(.* of its grace period left\), so the message was not sent\.$/,
    ),
    fault: {
      next: 'It starts again automatically when its process has exited; send the message again then.',
    },
  });
  legion.settings = { ...legion.settings, autoAdvance: false };
  await expect(send()).rejects.toMatchObject({
    fault: { next: expect.stringContaining(`\`legion advance ${issue}\``) },
  });
  await legion.desks.operator.pause(undefined, 'ada', 'wait');
  await expect(send()).rejects.toMatchObject({
    fault: { next: expect.stringContaining('Run `legion resume`') },
  });
  legion.settings = { slots: { workers: 100, perMode: {} } };
  await legion.desks.operator.halt('ada', 'now');
  await gone(id);
});

test('the response to a queued prompt for a stopping worker says when the worker will start again and receive the prompt', async () => {
  const { issue, id } = await running();
  legion.settings = { ...legion.settings, health: { stopGrace: 3_600_000 } };
  await legion.desks.workers.stop(id, { by: 'ada', restart: true });
  const send = async () =>
    (await legion.desks.workers.prompt(id, { text: 'Hurry', by: 'ada', interrupt: false })).says;
  expect(await send()).toMatch(
    /^It is stopping \(.* of its grace period left\) and receives this when it starts again\. It starts again automatically when its process has exited\.$/,
  );
  legion.settings = { ...legion.settings, autoAdvance: false };
  expect(await send()).toContain(`\`legion advance ${issue}\` when its process has exited`);
  await legion.desks.operator.pause(undefined, 'ada', 'wait');
  expect(await send()).toContain('Run `legion resume`');
  await legion.desks.operator.resume(undefined, 'ada');
  await legion.desks.issues.move(issue, 'In Progress');
  await legion.control.preview(issue);
  expect(await send()).toContain(`\`legion dispatch ${issue} plan --force\` when its process has exited`);
  legion.settings = { slots: { workers: 100, perMode: {} } };
  await legion.desks.operator.halt('ada', 'now');
  await gone(id);
});

test('`explain` says whether a message sent during a halt will be delivered', async () => {
  const { issue, id } = await running();
  await legion.desks.operator.halt('ada', 'now');
  await gone(id);
  const { message } = await legion.desks.workers.prompt(id, { text: 'Hurry', by: 'ada', interrupt: false });
  const waiting = await legion.desks.operator.explain(issue);
  expect(waiting.waitingMessages).toMatchObject([
    { message, mode: 'plan', text: 'From operator ada:\n\nHurry', queuedAt: expect.any(Number) },
  ]);
  await legion.append({ type: 'message.delivered', message });
  const delivered = await legion.desks.operator.explain(issue);
  expect(delivered.waitingMessages).toEqual([]);
  expect(delivered.history.map(({ what }) => what).slice(-2)).toEqual([
    expect.stringContaining(`message ${message} to ${id} was queued`),
    `message ${message} was delivered`,
  ]);
});

test('if two operators stop the same issue concurrently, both learn that it is held, and it is stopped once', async () => {
  const { issue, id } = await running();
  const answers = await Promise.all([
    legion.desks.workers.stop(id, HOLD),
    legion.desks.workers.stop(id, { by: 'bob', restart: false }),
  ]);
  for (const { held, says } of answers) {
    expect(held).toBe(true);
    expect(says).toMatch(/is (?:already )?stopping \(/);
    expect(says).toContain(`\`legion resume ${issue}\``);
  }
  await gone(id);
  expect(await stopsOf(issue)).toHaveLength(1);
  expect(await legion.comments(issue)).toHaveLength(1);
});

test('if the worker has already ended, stopping it does nothing except hold its issue', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  await legion.finished(issue, 'plan');
  const said = await legion.desks.workers.stop(`${issue}-plan`, HOLD);
  expect(said).toMatchObject({ held: true, says: expect.stringContaining('is not running (finished)') });
  expect(await legion.ordered(issue)).toEqual([]);
});

test('an unwritable board does not prevent stopping and holding a worker', async () => {
  const { issue, id } = await planning();
  const said = await whileBoardIsLocked(() => legion.desks.workers.stop(id, HOLD));
  expect(said).toMatchObject({
    held: true,
    says: expect.stringContaining('cannot be written to at the moment'),
  });
  expect(await legion.labels(issue)).not.toContain('legion-paused');
  const { state } = legion.world.ledger;
  expect(computeEffectiveLabels(await legion.labels(issue), state, issue)).toContain('legion-paused');
  await gone(id);
});

test('a halt stops every worker without a grace period, counts no crash, and is shown everywhere until it ends', async () => {
  const started = await Promise.all([planning(), planning()]);
  const ids = started.map(({ id }) => id);
  // This grace period is longer than the test can wait, but a halt ignores it.
  legion.settings = { ...legion.settings, health: { stopGrace: 3_600_000 } };
  const said = haltAnswer.parse(await legion.desks.operator.halt('ada', 'the bill'));
  expect([...said.stopped].sort()).toEqual([...ids].sort());
  expect(said.says).toContain('`legion resume`');
  for (const id of ids) {
    await gone(id);
    expect(legion.desks.workers.get(id)).toMatchObject({ status: 'stopped', crashes: 0 });
  }
  const hold = { kind: 'halt', by: 'ada', why: 'halted by ada: the bill', since: expect.any(Number) };
  expect(legion.desks.health().starts).toEqual({ allowed: false, ...hold });
  expect(await legion.desks.operator.inbox()).toContainEqual(
    expect.objectContaining({ title: 'The legion is halted', text: hold.why, next: 'legion resume' }),
  );
  const issue = started[0]?.issue ?? '';
  const { state } = await legion.desks.operator.explain(issue);
  expect(state).toMatchObject({ reason: 'halted', suggestedAction: 'skip' });
  expect(state.evidence).toEqual(expect.arrayContaining(['by=ada', expect.stringMatching(/^since=20/)]));
  const again = await legion.desks.operator.halt('bob', 'me too');
  expect(again).toMatchObject({ stopped: [], says: expect.stringContaining('already halted by ada') });
  await expect(
    legion.desks.workers.dispatch(dispatchRequest.parse({ issue, mode: 'plan', force: true })),
  ).rejects.toMatchObject({ code: 'worker.no_capacity', fault: { next: 'Run `legion resume`.' } });
  const message = { text: 'x', by: 'ada', interrupt: false };
  const { says } = await legion.desks.workers.prompt(`${issue}-plan`, message);
  expect(says).toMatch(
    /^It cannot start at the moment \(.*the bill\)\) and receives this when it starts\. Run `legion resume`\.$/,
  );
  await legion.desks.operator.resume(undefined, 'ada');
  expect(legion.desks.health().starts).toEqual({ allowed: true });
});

test('a halt cuts short the grace period of an earlier stop', async () => {
  const { id } = await planning();
  legion.settings = { ...legion.settings, health: { stopGrace: 3_600_000 } };
  await legion.desks.workers.stop(id, { by: 'ada', restart: true });
  await legion.desks.operator.halt('ada', 'now');
  await gone(id);
});

test('a halt is complete only when workers that were already stopping have exited', async () => {
  const { id } = await planning();
  legion.settings = { ...legion.settings, health: { stopGrace: 3_600_000 } };
  await legion.desks.workers.stop(id, { by: 'ada', restart: true });
  const { settled } = await legion.control.halt({ by: 'ada', why: 'now' });
  await settled;
  expect(legion.world.ledger.state.workers.get(id)?.exit).toBeDefined();
});

test('if a worker has begun a merge, a halt stops the worker only after the merge is complete', async () => {
  const issue = await legion.issue('Retro');
  await legion.dispatched(issue, 'merge');
  const merge = Promise.withResolvers<void>();
  const merged = legion.world.merges.run(issue, () => merge.promise);
  const said = await legion.desks.operator.halt('ada', 'stop');
  expect(said).toMatchObject({ merging: [`${issue}-merge`.toLowerCase()], stopped: [] });
  expect(said.says).toContain('will complete first');
  expect(legion.desks.workers.get(`${issue}-merge`).status).toBe('spawned');
  merge.resolve();
  await merged;
  await vi.waitFor(() => expect(legion.desks.workers.get(`${issue}-merge`).status).toBe('stopped'), SOON);
});

async function planning(): Promise<{ issue: IssueId; id: string }> {
  const issue = await legion.issue('Todo');
  await legion.desks.workers.dispatch(dispatchRequest.parse({ issue, mode: 'plan', force: true }));
  return { issue, id: `${issue}-plan`.toLowerCase() };
}

async function running(): Promise<{ issue: IssueId; id: string }> {
  const started = await planning();
  await vi.waitFor(() => expect(legion.desks.workers.get(started.id).pid).toBeDefined(), SOON);
  return started;
}

/** Runs `work` while another process holds the board's write lock. */
async function whileBoardIsLocked<T>(work: () => Promise<T>): Promise<T> {
  const other = new DatabaseSync(join(legion.world.folders.state, 'board.db'));
  other.exec('BEGIN IMMEDIATE');
  try {
    return await work();
  } finally {
    other.exec('ROLLBACK');
    other.close();
  }
}

async function gone(id: string): Promise<void> {
  await vi.waitFor(() => expect(legion.world.ledger.state.workers.get(id)?.exit).toBeDefined(), SOON);
}

async function stopsOf(issue: IssueId): Promise<readonly unknown[]> {
  const found = [];
  for await (const batch of legion.world.ledger.read(0))
    found.push(...batch.filter((event) => event.type === 'attempt.stopped' && event.issue === issue));
  return found;
}

async function inboxText(issue: IssueId): Promise<string | undefined> {
  const items = await legion.desks.operator.inbox();
  return items.find((item) => item.issue === issue && item.kind === 'paused')?.text;
}
