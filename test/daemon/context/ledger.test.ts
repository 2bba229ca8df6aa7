import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import { type Ledger, openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import { swarmAt } from '../../../src/daemon/load-swarm.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Journal } from '../../../src/journal/journal.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';

const clock: Clock = { now: () => 1_000, monotonic: () => 0, sleep: () => Promise.resolve() };
let folder: string;
let opened: Ledger[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-ledger-'));
  opened = [];
});

afterEach(async () => {
  for (const ledger of opened) await ledger.close();
  rmSync(folder, { recursive: true });
});

test('folds what it appends, and a later one comes up with the same state', async () => {
  const first = await open('first');
  await first.append([dispatched(1)]);
  await first.close();
  const second = await open('second');
  expect(second.swarm.workers).toEqual(first.swarm.workers);
  expect(second.swarm).toMatchObject({ leader: 'second', epoch: 2, version: 3, ignored: 0 });
});

test('appends made at once go one after the other and are all there', async () => {
  const ledger = await open('first');
  await Promise.all(Array.from({ length: 50 }, (_, index) => ledger.append([queued(index + 1)])));
  expect(ledger.swarm).toMatchObject({ version: 51, lastMessage: 50, ignored: 0 });
});

test('who led before is fenced as soon as another takes over, and its state does not move', async () => {
  const first = await open('first');
  await open('second');
  await expect(first.append([dispatched(1)])).rejects.toMatchObject({ code: 'journal.fenced' });
  expect(first.swarm.workers.size).toBe(0);
});

test('an append that is refused moves nothing, and the next one works', async () => {
  const ledger = await open('first');
  const bad = { ...dispatched(1), issue: '../x' } as EventBody;
  await expect(ledger.append([bad])).rejects.toMatchObject({ code: 'input.invalid' });
  await ledger.append([dispatched(1)]);
  expect(ledger.swarm).toMatchObject({ version: 2 });
});

test('appending nothing writes nothing', async () => {
  const ledger = await open('first');
  await ledger.append([]);
  expect(ledger.swarm.version).toBe(1);
});

test('a snapshot is saved every 1,000 events and at the end, and equals the whole fold', async () => {
  const path = join(folder, 'journal.db');
  const ledger = await open('first');
  for (let part = 0; part < 11; part += 1) {
    await ledger.append(Array.from({ length: 100 }, (_, index) => queued(part * 100 + index + 1)));
  }
  const reader = await openSqliteJournal(path);
  expect((await reader.latestSnapshot())?.version).toBe(1_001);
  await ledger.close();
  expect((await reader.latestSnapshot())?.version).toBe(1_101);
  const whole = await swarmAt(reader, {});
  await reader.close();
  const again = await open('second');
  expect(again.swarm.messages).toEqual(whole.messages);
});

test('a snapshot that cannot be saved is told and disturbs nobody', async () => {
  const told: unknown[] = [];
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  // The outermost edge: a disk that takes rows and refuses the larger snapshot.
  const narrow: Journal = { ...journal, saveSnapshot: () => Promise.reject(new Error('no room')) };
  const ledger = await openLedger(narrow, clock, 'first', {
    onSnapshotFailure: (error) => told.push(error),
  });
  await ledger.append(Array.from({ length: 1_000 }, (_, index) => queued(index + 1)));
  await ledger.append([queued(1_001)]);
  expect(told).toHaveLength(1);
  expect(ledger.swarm.lastMessage).toBe(1_001);
  await ledger.close();
});

test('appends that wait at the same time are one commit, and each sees those before it', async () => {
  const { ledger, commits } = await openCounted();
  const appended = await Promise.all(
    Array.from({ length: 20 }, () => ledger.append(({ lastMessage }) => [queued(lastMessage + 1)])),
  );
  expect(commits).toEqual([1, 20]);
  expect(appended.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
  expect(ledger.swarm).toMatchObject({ version: 21, lastMessage: 20, ignored: 0 });
});

test('appends of one turn of the event loop are one commit, where the ledger waits for them', async () => {
  const { ledger, commits } = await openCounted({ gather: () => setImmediate() });
  await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      // As many appends of callbacks that follow each other, with other work between them.
      for (let step = 0; step < index; step += 1) await Promise.resolve();
      await ledger.append(({ lastMessage }) => [queued(lastMessage + 1)]);
    }),
  );
  expect(commits).toEqual([1, 5]);
});

test('all steps of an append are one commit, and each is told what is staged before it', async () => {
  const { ledger, commits } = await openCounted();
  const other = ledger.append([queued(1)]);
  const own = ledger.append(
    ({ lastMessage }) => [queued(lastMessage + 1)],
    ({ lastMessage }, staged) => {
      expect(staged.others.map(({ seq }) => seq)).toEqual([2]);
      expect(staged.own.map(({ seq }) => seq)).toEqual([3]);
      return [queued(lastMessage + 1)];
    },
  );
  expect((await own).map(({ seq }) => seq)).toEqual([3, 4]);
  await other;
  expect(commits).toEqual([1, 3]);
  expect(ledger.swarm).toMatchObject({ lastMessage: 3, ignored: 0 });
});

test('an append whose step throws leaves nothing behind, and the others of its commit are written', async () => {
  const { ledger, commits } = await openCounted();
  const thrown = ledger.append(
    ({ lastMessage }) => [queued(lastMessage + 1)],
    () => {
      throw new Error('no');
    },
  );
  const others = [1, 2].map(() => ledger.append(({ lastMessage }) => [queued(lastMessage + 1)]));
  await expect(thrown).rejects.toThrow('no');
  await Promise.all(others);
  expect(commits).toEqual([1, 2]);
  expect(ledger.swarm).toMatchObject({ version: 3, lastMessage: 2, ignored: 0 });
});

test('a malformed event is refused alone, and the others of its commit are written', async () => {
  const ledger = await open('first');
  const bad = { ...dispatched(1), issue: '../x' } as EventBody;
  const [first, refused, last] = await Promise.allSettled([
    ledger.append(({ lastMessage }) => [queued(lastMessage + 1)]),
    ledger.append([bad]),
    ledger.append(({ lastMessage }) => [queued(lastMessage + 1)]),
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'input.invalid' } });
  expect([first, last]).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  expect(ledger.swarm).toMatchObject({ version: 3, lastMessage: 2, ignored: 0 });
});

test('a commit that fails rejects every append in it, and the state does not move', async () => {
  const first = await open('first');
  await open('second');
  const refused = await Promise.allSettled([
    first.append(({ lastMessage }) => [queued(lastMessage + 1)]),
    first.append(({ lastMessage }) => [queued(lastMessage + 1)]),
    first.confirm(),
  ]);
  for (const each of refused) {
    expect(each).toMatchObject({ status: 'rejected', reason: { code: 'journal.fenced' } });
  }
  expect(first.swarm).toMatchObject({ version: 1, lastMessage: 0 });
  expect(first.fenced.aborted).toBe(true);
});

test('listeners hear of each append of a commit by itself, with the state after it', async () => {
  const ledger = await open('first');
  const heard: [number[], number][] = [];
  ledger.subscribe((events) => heard.push([events.map(({ seq }) => seq), ledger.swarm.version]));
  await Promise.all([ledger.append([queued(1), queued(2)]), ledger.append([]), ledger.append([queued(3)])]);
  expect(heard).toEqual([
    [[2, 3], 3],
    [[4], 4],
  ]);
});

test('a start that folds more than 1,000 events saves a snapshot at once', async () => {
  await fill(1_001);
  const before = await openSqliteJournal(join(folder, 'journal.db'));
  expect(await before.latestSnapshot()).toBeUndefined();
  await open('first');
  expect((await before.latestSnapshot())?.version).toBe(1_002);
  await before.close();
});

test('a start that folds fewer events saves none', async () => {
  await fill(900);
  await open('first');
  const reader = await openSqliteJournal(join(folder, 'journal.db'));
  expect(await reader.latestSnapshot()).toBeUndefined();
  await reader.close();
});

test('snapshots of a large state are further apart', async () => {
  const { ledger, snapshots } = await openCounted();
  const large = 'x'.repeat(3_000_000);
  await ledger.append([{ ...queued(1), body: large } as EventBody]);
  for (let part = 0; part < 8; part += 1) {
    await ledger.append(Array.from({ length: 500 }, (_, index) => queued(part * 500 + index + 2)));
  }
  // The first after 1,000 events; the next after one event for each 1,000 characters of it.
  expect(snapshots).toEqual([1_002]);
  await ledger.append(Array.from({ length: 500 }, (_, index) => queued(4_002 + index)));
  await ledger.confirm();
  expect(snapshots).toEqual([1_002, 4_502]);
});

/** Counts at the outermost edge: how many events each commit has, and which versions snapshots stand for. */
async function openCounted(options: { gather?: () => Promise<unknown> } = {}) {
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  const commits: number[] = [];
  const snapshots: number[] = [];
  const counted: Journal = {
    ...journal,
    append(events, ...rest) {
      commits.push(events.length);
      return journal.append(events, ...rest);
    },
    saveSnapshot(snapshot) {
      snapshots.push(snapshot.version);
      return journal.saveSnapshot(snapshot);
    },
  };
  const ledger = await openLedger(counted, clock, 'first', { onSnapshotFailure: raise, ...options });
  opened.push(ledger);
  return { ledger, commits, snapshots };
}

/** As a daemon leaves it that was killed. */
async function fill(events: number): Promise<void> {
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  const bodies = Array.from({ length: events }, (_, index) => queued(index + 1));
  await journal.append(bodies, 0, { at: 1, epoch: 1 });
  await journal.close();
}

function raise(error: unknown): never {
  throw error;
}

async function open(leader: string): Promise<Ledger> {
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  const ledger = await openLedger(journal, clock, leader, {
    onSnapshotFailure: raise,
  });
  opened.push(ledger);
  return ledger;
}

function dispatched(attempt: number): EventBody {
  return {
    type: 'attempt.dispatched',
    issue: 'A-1',
    mode: 'plan',
    attempt,
    session: 's',
    version: 0,
    host: 'h',
  };
}

function queued(message: number): EventBody {
  return { type: 'message.queued', message, to: 's', key: `k${message}`, body: 'b' };
}
