import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { workerId } from '../../../../src/core/model/ids.ts';
import { openLedger } from '../../../../src/daemon/context/journal-ledger.ts';
import type { WorkerIdentity } from '../../../../src/daemon/daemon.ts';
import { OutboxIntake } from '../../../../src/daemon/outbox/outbox-intake.ts';
import { openSpeech } from '../../../../src/daemon/speech/speech.ts';
import { lifecycleOf } from '../../../../src/domain/lifecycle.ts';
import type { Mode } from '../../../../src/domain/mode.ts';
import { openSqliteJournal } from '../../../../src/journal/sqlite/sqlite-journal.ts';
import { type OutboxEntry, outboxEntryName } from '../../../../src/protocol/outbox.ts';
import { keepInOutbox } from '../../../../src/speech/outbox.ts';
import { openLocalBoard } from '../../../../src/trackers/local/open-local-board.ts';
import { openWorking, type Working } from '../working.ts';

/** In a constant, because the check for dead code takes a literal for a package that is not listed. */
const MAKE_PIPE = 'mkfifo';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());
afterEach(() => rm(join(working.folder, 'state'), { recursive: true, force: true }));

const takeIn = () => new OutboxIntake(working.world, working.speech).takeInAll();
const boxOf = ({ issue, mode, attempt }: WorkerIdentity) =>
  working.world.folders.outbox(workerId(issue, mode), attempt);
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
    ...{ id: randomUUID(), verb, input, at: Date.now(), worker: workerId(issue, mode), attempt },
    token: working.world.tokens.tokenFor(who),
    ...more,
  };
  return entry as OutboxEntry;
}

/** As the worker's own side keeps it. */
const keep = (who: WorkerIdentity, verb: string, input: unknown, more: object = {}) =>
  keepInOutbox(boxOf(who), entryOf(who, verb, input, more));

/** Straight into the folder, under a name that passes for a message. */
async function plant(who: WorkerIdentity, make: (path: string) => unknown): Promise<string> {
  await mkdir(boxOf(who), { recursive: true });
  const present = readdirSync(boxOf(who));
  const path = join(boxOf(who), outboxEntryName(Date.now(), randomUUID(), present));
  await make(path);
  return path;
}

test('without any outbox there is nothing to take in, and no trouble', async () => {
  expect(await takeIn()).toBe(0);
  expect(working.world.troubles.list()).toEqual([]);
});

test('what was kept while the daemon was away is taken in after its restart, in order, and is gone then', async () => {
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
  // Both were taken in before the report, and went with the phase that it finished.
  expect(working.worker(planner).lastCheckpoint).toBe(2);
  expect(working.worker(planner).checkpoint).toBeUndefined();
  expect(lifecycleOf(working.worker(planner).facts)).toBe('finished');
  expect(lifecycleOf(working.worker(architect).facts)).toBe('waiting-user');
  expect([...waitingIn(planner), ...waitingIn(architect)]).toEqual([]);
  expect(await takeIn()).toBe(0);
});

test('messages that come twice, because their files outlived a kill, change nothing the second time', async () => {
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
  const { version } = working.world.ledger.swarm;
  for (const [file, content] of kept) await writeFile(file, content);
  await working.restart();
  expect(await takeIn()).toBe(files.length);
  expect(working.world.ledger.swarm.version, 'only the new leader is new').toBe(version + 1);
}

test('two passes at once take each message in once', async () => {
  const who = await begin('plan');
  await keep(who, 'ask', { question: 'this?' });
  await keep(who, 'handoff_write', { summary: 'Steps.' });
  await Promise.all([takeIn(), takeIn()]);
  expect(working.record(who.issue)).toMatchObject({ lastQuestion: 1, lastHandoff: 1 });
  expect(waitingIn(who)).toEqual([]);
  expect(working.world.troubles.list()).toEqual([]);
});

test('a late report is kept in the journal, and another word of a life that is over is set aside', async () => {
  const who = await begin('plan');
  await working.world.ledger.append([{ type: 'attempt.crashed', ...who, evidence: ['gone'] }]);
  await keep(who, 'ask', { question: 'this?' });
  await keep(who, 'done', { summary: 'planned' });
  expect(await takeIn()).toBe(1);
  expect(working.worker(who).lateReports).toMatchObject([{ attempt: 1, outcome: 'done' }]);
  expect(asideIn(who)).toHaveLength(1);
  const [trouble] = working.world.troubles.list();
  expect(trouble).toMatchObject({ code: 'speech.message_set_aside' });
  expect(trouble?.message).toContain('worker.attempt_over');
});

test('what was set aside is shown until a person removes it, also after a restart', async () => {
  const who = await begin('plan');
  await plant(who, (path) => writeFile(path, 'torn {'));
  await takeIn();
  await working.restart();
  expect(working.world.troubles.list()).toEqual([]);
  await takeIn();
  expect(working.world.troubles.list()).toMatchObject([
    { code: 'speech.message_set_aside', message: expect.stringContaining('is not JSON') },
  ]);
  await rm(join(boxOf(who), 'refused'), { recursive: true });
  await takeIn();
  expect(working.world.troubles.list()).toEqual([]);
});

test('hostile files are set aside as they are, read nothing and block nobody', async () => {
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
  await writeFile(join(boxOf(who), 'notes.json'), 'no message at all');
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

test('only whoever the token proves may speak, for itself, and only what may wait', async () => {
  const who = await begin('plan');
  const other = await begin('architect');
  const forged = { token: 'lw1.W10.AAAA' };
  await keep(who, 'done', { summary: 'planned' }, forged);
  await keep(who, 'done', { summary: 'planned' }, { worker: workerId(other.issue, other.mode) });
  await keep(who, 'done', { summary: 'planned' }, { attempt: 2 });
  await keep(who, 'message', { to: 'legion-po', text: 'hello' });
  await keep(who, 'merge', {});
  await keep(who, 'done', { summary: '' });
  expect(await takeIn()).toBe(0);
  expect(asideIn(who)).toHaveLength(6);
  expect(working.worker(who)).toMatchObject({ lastReport: 0, lateReports: [] });
});

test('what cannot be taken in now stays, with those behind it, while other outboxes are emptied', async () => {
  const who = await begin('plan');
  const other = await begin('architect');
  await keep(who, 'comment', { text: 'First.', key: 'k' });
  await keep(who, 'checkpoint', { stage: 'after it' });
  await keep(other, 'checkpoint', { stage: 'elsewhere' });
  const closed = await openLocalBoard(join(working.folder, 'board.db'), { prefix: 'A', now: Date.now });
  await closed.dispose();
  const world = { ...working.world, tracker: closed };
  expect(await new OutboxIntake(world, openSpeech(world)).takeInAll()).toBe(1);
  expect(waitingIn(who)).toHaveLength(2);
  expect(asideIn(who)).toEqual([]);
  expect(working.world.troubles.list()).toMatchObject([{ code: 'tracker.closed' }]);
  expect(await takeIn()).toBe(2);
  expect(working.worker(who).checkpoint).toMatchObject({ stage: 'after it' });
  expect(working.world.troubles.list()).toEqual([]);
});

test('a daemon that no longer leads leaves every message to the one that does', async () => {
  const who = await begin('plan');
  await keep(who, 'done', { summary: 'planned' });
  const fenced = working.world;
  const giveBack = await takeOver();
  expect(await new OutboxIntake(fenced, working.speech).takeInAll()).toBe(0);
  expect(waitingIn(who)).toHaveLength(1);
  expect(asideIn(who)).toEqual([]);
  expect(fenced.troubles.list()).toMatchObject([{ code: 'journal.fenced' }]);
  await giveBack();
  expect(await takeIn()).toBe(1);
});

/** Takes the legion over as another daemon would, and gives it back to a restarted one. */
async function takeOver(): Promise<() => Promise<void>> {
  const journal = await openSqliteJournal(join(working.folder, 'journal.db'));
  const ledger = await openLedger(journal, working.clock, 'another', { onSnapshotFailure: () => undefined });
  return async () => {
    await ledger.close();
    await working.restart();
  };
}

test('where a message cannot even be set aside, it stays and those behind it are taken in', async () => {
  const who = await begin('plan');
  await plant(who, (path) => writeFile(path, 'torn {'));
  await symlink(working.folder, join(boxOf(who), 'refused'));
  await keep(who, 'checkpoint', { stage: 'honest' });
  expect(await takeIn()).toBe(1);
  expect(waitingIn(who)).toHaveLength(1);
  expect(working.world.troubles.list()).toMatchObject([{ code: 'speech.outbox_unusable' }]);
});

/** Time passes only when a test says so. */
function intakeAtStart() {
  let monotonic = 0;
  const clock = { ...working.clock, monotonic: () => monotonic };
  const intake = new OutboxIntake({ ...working.world, clock }, working.speech);
  const advance = (ms: number) => {
    monotonic += ms;
  };
  return { intake, advance };
}

async function end(who: WorkerIdentity): Promise<void> {
  await working.world.ledger.append([{ type: 'attempt.crashed', ...who, evidence: ['gone'] }]);
}

test('reads only outboxes of live attempts after the first full walk', async () => {
  const live = await begin('plan');
  const over = await begin('architect');
  await end(over);
  const { intake, advance } = intakeAtStart();
  await keep(live, 'checkpoint', { stage: 'begun' });
  await keep(over, 'done', { summary: 'before the start' });
  expect(await intake.takeInDue(), 'everything at the start').toBe(2);
  await keep(live, 'checkpoint', { stage: 'half way' });
  await keep(over, 'done', { summary: 'late' });
  expect(await intake.takeInDue()).toBe(1);
  expect([waitingIn(live).length, waitingIn(over).length]).toEqual([0, 1]);
  advance(10 * 60_000);
  expect(await intake.takeInDue(), 'the next full walk').toBe(1);
  expect(waitingIn(over)).toEqual([]);
});

test('takes in a late report from a renamed folder, and one that is named', async () => {
  const who = await begin('plan');
  await end(who);
  const { intake, advance } = intakeAtStart();
  await intake.takeInDue();
  await keep(who, 'done', { summary: 'late' });
  const elsewhere = join(working.world.folders.state, 'outbox', 'elsewhere');
  await rename(boxOf(who), elsewhere);
  await keep(who, 'error', { summary: 'even later' });
  expect(await intake.takeInOne(boxOf(who)), 'named by a hint').toBe(1);
  advance(10 * 60_000);
  expect(await intake.takeInDue()).toBe(1);
  expect(working.worker(who).lateReports.map(({ outcome }) => outcome)).toEqual(['error', 'done']);
});

test('tries a message of an ended attempt again that could not be taken in', async () => {
  const who = await begin('plan');
  await keep(who, 'comment', { text: 'First.', key: 'k' });
  const closed = await openLocalBoard(join(working.folder, 'board.db'), { prefix: 'A', now: Date.now });
  await closed.dispose();
  const world = { ...working.world, tracker: closed };
  let speech = openSpeech(world);
  const intake = new OutboxIntake(world, {
    identify: (token) => speech.identify(token),
    say: (...words) => speech.say(...words),
  });
  expect(await intake.takeInDue()).toBe(0);
  expect(working.world.troubles.list()).toMatchObject([{ code: 'tracker.closed' }]);
  await working.world.ledger.append([{ type: 'attempt.stopped', ...who, why: 'enough' }]);
  speech = working.speech;
  await intake.takeInDue();
  expect(waitingIn(who), 'set aside or taken in, but not forgotten').toEqual([]);
  expect(working.world.troubles.list().map(({ code }) => code)).not.toContain('tracker.closed');
});

test('reads an outbox once more for a message that came during a reading', async () => {
  const who = await begin('plan');
  await keep(who, 'checkpoint', { stage: 'begun' });
  const { intake } = intakeAtStart();
  const first = intake.takeInOne(boxOf(who));
  const second = keep(who, 'checkpoint', { stage: 'half way' }).then(() => intake.takeInOne(boxOf(who)));
  const third = intake.takeInOne(boxOf(who));
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
  await intake.takeInAll();
  expect([live, over, refused].map((who) => existsSync(boxOf(who)))).toEqual([true, true, true]);
  for (const who of [live, over, refused]) await utimes(boxOf(who), 1, 1);
  await intake.takeInAll();
  expect([live, over, refused].map((who) => existsSync(boxOf(who)))).toEqual([true, false, true]);
  expect(existsSync(join(boxOf(live), 'done.flag'))).toBe(true);
});
