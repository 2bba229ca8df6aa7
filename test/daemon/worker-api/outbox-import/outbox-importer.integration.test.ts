import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { WorkerIdentity } from '../../../../src/core/model/ids.ts';
import { toWorkerId } from '../../../../src/core/model/ids.ts';
import { toLifecycleState } from '../../../../src/core/model/lifecycle.ts';
import type { Mode } from '../../../../src/core/model/mode.ts';
import { openLedger } from '../../../../src/daemon/context/journal-ledger.ts';
import { OutboxImporter } from '../../../../src/daemon/worker-api/outbox-import/outbox-importer.ts';
import { createWorkerApi } from '../../../../src/daemon/worker-api/worker-api.ts';
import { openLocalBoard } from '../../../../src/integrations/local/tracker/open-local-board.ts';
import { openSqliteJournal } from '../../../../src/journal/sqlite/sqlite-journal.ts';
import { createOutboxEntryName, type OutboxEntry } from '../../../../src/protocol/outbox.ts';
import { keepInOutbox } from '../../../../src/worker-client/outbox.ts';
import { openWorking, type Working } from '../working.ts';

/**
 * Stored in a constant, because the dead-code check would mistake a literal for an unlisted
 * package.
 */
const MAKE_PIPE = 'mkfifo';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());
afterEach(() => rm(join(working.folder, 'state'), { recursive: true, force: true }));

const takeIn = () => new OutboxImporter(working.world, working.speech).importAll();
const boxOf = ({ issue, mode, attempt }: WorkerIdentity) =>
  working.world.folders.outbox(toWorkerId(issue, mode), attempt);
const asideIn = (who: WorkerIdentity) => {
  const folder = join(boxOf(who), 'refused');
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.why')) : [];
};
const waitingIn = (who: WorkerIdentity) => readdirSync(boxOf(who)).filter((name) => name.endsWith('.json'));

async function begin(mode: Mode): Promise<WorkerIdentity> {
  return working.dispatch(await working.issue('Todo'), mode);
}

function entryOf(who: WorkerIdentity, verb: string, input: unknown, more: object = {}): OutboxEntry {
  const { issue, mode, attempt } = who;
  const entry = {
    id: randomUUID(),
    verb,
    input,
    at: Date.now(),
    worker: toWorkerId(issue, mode),
    attempt,
    token: working.world.tokens.createToken(who),
    ...more,
  };
  return entry as OutboxEntry;
}

/** Stores a message as the worker's own client does. */
const keep = (who: WorkerIdentity, verb: string, input: unknown, more: object = {}) =>
  keepInOutbox(boxOf(who), entryOf(who, verb, input, more));

/** Creates an entry directly in the outbox directory, under a valid message name. */
async function plant(who: WorkerIdentity, make: (path: string) => unknown): Promise<string> {
  await mkdir(boxOf(who), { recursive: true });
  const present = readdirSync(boxOf(who));
  const path = join(boxOf(who), createOutboxEntryName(Date.now(), randomUUID(), present));
  await make(path);
  return path;
}

test('imports nothing and reports no problem if no outbox exists', async () => {
  expect(await takeIn()).toBe(0);
  expect(working.world.problems.list()).toEqual([]);
});

test('after a restart, imports messages stored while the daemon was down, in order, and removes them', async () => {
  const planner = await begin('plan');
  const architect = await begin('architect');
  await keep(planner, 'checkpoint', { stage: 'begun' });
  await keep(planner, 'checkpoint', { stage: 'half way' });
  await keep(planner, 'handoff_write', { summary: 'Steps.' });
  await keep(planner, 'done', { summary: 'planned' });
  await keep(architect, 'ask', { question: 'this?' });
  await keep(architect, 'comment', { text: 'A word.', key: 'k' });
  await working.restart();
  expect(await takeIn()).toBe(6);
  // Both messages were imported before the report. They were then removed together with the phase
  // that the report finished.
  expect(working.worker(planner).lastCheckpoint).toBe(2);
  expect(working.worker(planner).checkpoint).toBeUndefined();
  expect(toLifecycleState(working.worker(planner).facts)).toBe('finished');
  expect(toLifecycleState(working.worker(architect).facts)).toBe('waiting-user');
  expect([...waitingIn(planner), ...waitingIn(architect)]).toEqual([]);
  expect(await takeIn()).toBe(0);
});

test('importing a message again has no effect if a kill prevented the removal of its file', async () => {
  const who = await begin('plan');
  const files = [
    await keep(who, 'checkpoint', { stage: 'begun' }),
    await keep(who, 'comment', { text: 'A word.', key: 'k' }),
    await keep(who, 'handoff_write', { summary: 'Steps.' }),
    await keep(who, 'ask', { question: 'this?' }),
  ];
  await takenInTwice(files);
  await takenInTwice([await keep(who, 'done', { summary: 'planned' })]);
  const comments = await working.board.commentsSince(who.issue, 0, new AbortController().signal);
  expect(comments).toHaveLength(1);
});

async function takenInTwice(files: readonly string[]): Promise<void> {
  const kept = files.map((file) => [file, readFileSync(file)] as const);
  expect(await takeIn()).toBe(files.length);
  const { version } = working.world.ledger.state;
  for (const [file, content] of kept) await writeFile(file, content);
  await working.restart();
  expect(await takeIn()).toBe(files.length);
  expect(working.world.ledger.state.version, 'only the leader changed').toBe(version + 1);
}

test('imports each message exactly once if two passes run concurrently', async () => {
  const who = await begin('plan');
  await keep(who, 'ask', { question: 'this?' });
  await keep(who, 'handoff_write', { summary: 'Steps.' });
  await Promise.all([takeIn(), takeIn()]);
  expect(working.record(who.issue)).toMatchObject({ lastQuestion: 1, lastHandoff: 1 });
  expect(waitingIn(who)).toEqual([]);
  expect(working.world.problems.list()).toEqual([]);
});

test('journals a late report and sets aside other messages of an ended attempt', async () => {
  const who = await begin('plan');
  await working.world.ledger.append([{ type: 'attempt.crashed', ...who, evidence: ['gone'] }]);
  await keep(who, 'ask', { question: 'this?' });
  await keep(who, 'done', { summary: 'planned' });
  expect(await takeIn()).toBe(1);
  expect(working.worker(who).lateReports).toMatchObject([{ attempt: 1, outcome: 'done' }]);
  expect(asideIn(who)).toHaveLength(1);
  const [trouble] = working.world.problems.list();
  expect(trouble).toMatchObject({ code: 'speech.message_set_aside' });
  expect(trouble?.message).toContain('worker.attempt_over');
});

test('reports refused messages until a person removes them, even after a restart', async () => {
  const who = await begin('plan');
  await plant(who, (path) => writeFile(path, 'torn {'));
  await takeIn();
  await working.restart();
  expect(working.world.problems.list()).toEqual([]);
  await takeIn();
  expect(working.world.problems.list()).toMatchObject([
    { code: 'speech.message_set_aside', message: expect.stringContaining('is not JSON') },
  ]);
  await rm(join(boxOf(who), 'refused'), { recursive: true });
  await takeIn();
  expect(working.world.problems.list()).toEqual([]);
});

test('sets hostile files aside without importing them, and still imports the other messages', async () => {
  const who = await begin('plan');
  const other = await begin('architect');
  const secret = join(working.folder, 'secret.json');
  await writeFile(secret, JSON.stringify(entryOf(who, 'ask', { question: 'from the link?' })));
  await plant(who, (path) => symlink(secret, path));
  await plant(who, (path) => execFileSync(MAKE_PIPE, [path]));
  await plant(who, (path) => mkdir(path));
  await plant(who, (path) => writeFile(path, Buffer.alloc(2 * 1_024 * 1_024, 'x')));
  await plant(who, (path) => writeFile(path, Buffer.from([0xff, 0xfe, 0x00])));
  await plant(who, (path) => writeFile(path, '{"__proto__":{"verb":"done"}}'));
  await plant(who, (path) => writeFile(path, `${'['.repeat(100_000)}`));
  await writeFile(join(boxOf(who), 'notes.json'), 'not a message');
  const nested = JSON.stringify(entryOf(who, 'handoff_write', { summary: 'Deep.', details: 'deep' }));
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  await plant(who, (path) => writeFile(path, nested.replace('"deep"', deep)));
  await keep(who, 'checkpoint', { stage: 'honest' });
  await keep(other, 'checkpoint', { stage: 'honest, too' });
  expect(await takeIn()).toBe(2);
  expect(asideIn(who)).toHaveLength(8);
  expect(working.worker(who).checkpoint).toMatchObject({ stage: 'honest' });
  expect(working.record(who.issue)).toMatchObject({ questions: {}, handoffs: {} });
  expect(existsSync(secret)).toBe(true);
});

test('accepts only messages that belong to the worker that the token identifies, and only verbs that may be stored', async () => {
  const who = await begin('plan');
  const other = await begin('architect');
  const forged = { token: 'lw1.W10.AAAA' };
  await keep(who, 'done', { summary: 'planned' }, forged);
  await keep(who, 'done', { summary: 'planned' }, { worker: toWorkerId(other.issue, other.mode) });
  await keep(who, 'done', { summary: 'planned' }, { attempt: 2 });
  await keep(who, 'message', { to: 'legion-po', text: 'hello' });
  await keep(who, 'merge', {});
  await keep(who, 'done', { summary: '' });
  expect(await takeIn()).toBe(0);
  expect(asideIn(who)).toHaveLength(6);
  expect(working.worker(who)).toMatchObject({ lastReport: 0, lateReports: [] });
});

test('keeps a message that cannot be imported at the moment, together with all later messages in that outbox, and still empties other outboxes', async () => {
  const who = await begin('plan');
  const other = await begin('architect');
  await keep(who, 'comment', { text: 'First.', key: 'k' });
  await keep(who, 'checkpoint', { stage: 'after it' });
  await keep(other, 'checkpoint', { stage: 'elsewhere' });
  const closed = await openLocalBoard(join(working.folder, 'board.db'), { prefix: 'A', now: Date.now });
  await closed.dispose();
  const world = { ...working.world, tracker: closed };
  expect(await new OutboxImporter(world, createWorkerApi(world)).importAll()).toBe(1);
  expect(waitingIn(who)).toHaveLength(2);
  expect(asideIn(who)).toEqual([]);
  expect(working.world.problems.list()).toMatchObject([{ code: 'tracker.closed' }]);
  expect(await takeIn()).toBe(2);
  expect(working.worker(who).checkpoint).toMatchObject({ stage: 'after it' });
  expect(working.world.problems.list()).toEqual([]);
});

test('leaves every message to the new leader if the daemon no longer leads', async () => {
  const who = await begin('plan');
  await keep(who, 'done', { summary: 'planned' });
  const fenced = working.world;
  const giveBack = await takeOver();
  expect(await new OutboxImporter(fenced, working.speech).importAll()).toBe(0);
  expect(waitingIn(who)).toHaveLength(1);
  expect(asideIn(who)).toEqual([]);
  expect(fenced.problems.list()).toMatchObject([{ code: 'journal.fenced' }]);
  await giveBack();
  expect(await takeIn()).toBe(1);
});

/**
 * Takes over the legion as another daemon would. The returned function gives the legion back to a
 * restarted daemon.
 */
async function takeOver(): Promise<() => Promise<void>> {
  const journal = await openSqliteJournal(join(working.folder, 'journal.db'));
  const ledger = await openLedger(journal, working.clock, 'another', { onSnapshotFailure: () => undefined });
  return async () => {
    await ledger.close();
    await working.restart();
  };
}

test('keeps a message that cannot be set aside, and imports the later messages', async () => {
  const who = await begin('plan');
  await plant(who, (path) => writeFile(path, 'torn {'));
  await symlink(working.folder, join(boxOf(who), 'refused'));
  await keep(who, 'checkpoint', { stage: 'honest' });
  expect(await takeIn()).toBe(1);
  expect(waitingIn(who)).toHaveLength(1);
  expect(working.world.problems.list()).toMatchObject([{ code: 'speech.outbox_unusable' }]);
});

/** Creates an importer whose clock moves only when a test advances it. */
function intakeAtStart() {
  let monotonic = 0;
  const clock = { ...working.clock, monotonic: () => monotonic };
  const intake = new OutboxImporter({ ...working.world, clock }, working.speech);
  const advance = (ms: number) => {
    monotonic += ms;
  };
  return { intake, advance };
}

async function end(who: WorkerIdentity): Promise<void> {
  await working.world.ledger.append([{ type: 'attempt.crashed', ...who, evidence: ['gone'] }]);
}

test('reads only the outboxes of live attempts after the first full scan', async () => {
  const live = await begin('plan');
  const over = await begin('architect');
  await end(over);
  const { intake, advance } = intakeAtStart();
  await keep(live, 'checkpoint', { stage: 'begun' });
  await keep(over, 'done', { summary: 'before the start' });
  expect(await intake.importDue(), 'everything at the start').toBe(2);
  await keep(live, 'checkpoint', { stage: 'half way' });
  await keep(over, 'done', { summary: 'late' });
  expect(await intake.importDue()).toBe(1);
  expect([waitingIn(live).length, waitingIn(over).length]).toEqual([0, 1]);
  advance(10 * 60_000);
  expect(await intake.importDue(), 'the next full scan').toBe(1);
  expect(waitingIn(over)).toEqual([]);
});

test('imports late reports of an ended attempt, both from a renamed outbox directory and from an outbox that a hint names', async () => {
  const who = await begin('plan');
  await end(who);
  const { intake, advance } = intakeAtStart();
  await intake.importDue();
  await keep(who, 'done', { summary: 'late' });
  const elsewhere = join(working.world.folders.state, 'outbox', 'elsewhere');
  await rename(boxOf(who), elsewhere);
  await keep(who, 'error', { summary: 'even later' });
  expect(await intake.importOne(boxOf(who)), 'named by a hint').toBe(1);
  advance(10 * 60_000);
  expect(await intake.importDue()).toBe(1);
  expect(working.worker(who).lateReports.map(({ outcome }) => outcome)).toEqual(['error', 'done']);
});

test('retries a failed message of an ended attempt', async () => {
  const who = await begin('plan');
  await keep(who, 'comment', { text: 'First.', key: 'k' });
  const closed = await openLocalBoard(join(working.folder, 'board.db'), { prefix: 'A', now: Date.now });
  await closed.dispose();
  const world = { ...working.world, tracker: closed };
  let speech = createWorkerApi(world);
  const intake = new OutboxImporter(world, {
    identify: (token) => speech.identify(token),
    handleVerb: (...words) => speech.handleVerb(...words),
  });
  expect(await intake.importDue()).toBe(0);
  expect(working.world.problems.list()).toMatchObject([{ code: 'tracker.closed' }]);
  await working.world.ledger.append([{ type: 'attempt.stopped', ...who, why: 'enough' }]);
  speech = working.speech;
  await intake.importDue();
  expect(waitingIn(who), 'set aside or imported, but not forgotten').toEqual([]);
  expect(working.world.problems.list().map(({ code }) => code)).not.toContain('tracker.closed');
});

test('reads an outbox again for a message that arrived during the read', async () => {
  const who = await begin('plan');
  await keep(who, 'checkpoint', { stage: 'begun' });
  const { intake } = intakeAtStart();
  const first = intake.importOne(boxOf(who));
  const second = keep(who, 'checkpoint', { stage: 'half way' }).then(() => intake.importOne(boxOf(who)));
  const third = intake.importOne(boxOf(who));
  const taken = await Promise.all([first, second, third]);
  expect(Math.max(...taken)).toBeLessThanOrEqual(2);
  expect(waitingIn(who)).toEqual([]);
  expect(working.worker(who).lastCheckpoint).toBe(2);
});

test('removes empty outboxes of ended attempts an hour after their last change', async () => {
  const live = await begin('plan');
  const over = await begin('architect');
  const refused = await begin('implement');
  await end(over);
  await end(refused);
  for (const who of [live, over, refused]) {
    await mkdir(boxOf(who), { recursive: true });
    await writeFile(join(boxOf(who), 'done.flag'), '{}');
  }
  await keep(refused, 'ask', { question: 'this?' });
  const { intake } = intakeAtStart();
  await intake.importAll();
  expect([live, over, refused].map((who) => existsSync(boxOf(who)))).toEqual([true, true, true]);
  for (const who of [live, over, refused]) await utimes(boxOf(who), 1, 1);
  await intake.importAll();
  expect([live, over, refused].map((who) => existsSync(boxOf(who)))).toEqual([true, false, true]);
  expect(existsSync(join(boxOf(live), 'done.flag'))).toBe(true);
});
