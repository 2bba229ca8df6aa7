import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../../src/core/model/clock.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import { loadStateAt, openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import type { Ledger } from '../../../src/daemon/context/ledger.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import type { Journal } from '../../../src/ports/journal.ts';

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

test('folds the events that are appended, and a ledger opened later loads the same state', async () => {
  const first = await open('first');
  await first.append([dispatched(1)]);
  await first.close();
  const second = await open('second');
  expect(second.state.workers).toEqual(first.state.workers);
  expect(second.state).toMatchObject({ leader: 'second', epoch: 2, version: 3, ignored: 0 });
});

test('writes concurrent appends one after the other', async () => {
  const ledger = await open('first');
  await Promise.all(Array.from({ length: 50 }, (_, index) => ledger.append([queued(index + 1)])));
  expect(ledger.state).toMatchObject({ version: 51, lastMessage: 50, ignored: 0 });
});

test('refuses appends from the previous leader once another daemon leads, and leaves the state unchanged', async () => {
  const first = await open('first');
  await open('second');
  await expect(first.append([dispatched(1)])).rejects.toMatchObject({ code: 'journal.fenced' });
  expect(first.state.workers.size).toBe(0);
});

test('leaves the state unchanged after a refused append, and accepts the next one', async () => {
  const ledger = await open('first');
  const bad = { ...dispatched(1), issue: '../x' } as EventBody;
  await expect(ledger.append([bad])).rejects.toMatchObject({ code: 'input.invalid' });
  await ledger.append([dispatched(1)]);
  expect(ledger.state).toMatchObject({ version: 2 });
});

test('writes nothing for an empty append', async () => {
  const ledger = await open('first');
  await ledger.append([]);
  expect(ledger.state.version).toBe(1);
});

test('saves a snapshot every 1,000 events and on close, with the same state as a fold of all events', async () => {
  const path = join(folder, 'journal.db');
  const ledger = await open('first');
  for (let part = 0; part < 11; part += 1) {
    await ledger.append(Array.from({ length: 100 }, (_, index) => queued(part * 100 + index + 1)));
  }
  const reader = await openSqliteJournal(path);
  expect((await reader.latestSnapshot())?.version).toBe(1_001);
  await ledger.close();
  expect((await reader.latestSnapshot())?.version).toBe(1_101);
  const whole = await loadStateAt(reader, {});
  await reader.close();
  const again = await open('second');
  expect(again.state.messages).toEqual(whole.messages);
});

test('reports a failed snapshot and continues', async () => {
  const failures: unknown[] = [];
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  // Simulates a disk that accepts rows but is too full for the larger snapshot.
  const narrow: Journal = { ...journal, saveSnapshot: () => Promise.reject(new Error('no room')) };
  const ledger = await openLedger(narrow, clock, 'first', {
    onSnapshotFailure: (error) => failures.push(error),
  });
  await ledger.append(Array.from({ length: 1_000 }, (_, index) => queued(index + 1)));
  await ledger.append([queued(1_001)]);
  expect(failures).toHaveLength(1);
  expect(ledger.state.lastMessage).toBe(1_001);
  await ledger.close();
});

test('commits concurrent appends together, and each append sees the previous ones', async () => {
  const { ledger, commits } = await openCounted();
  const appended = await Promise.all(
    Array.from({ length: 20 }, () => ledger.append(({ lastMessage }) => [queued(lastMessage + 1)])),
  );
  expect(commits).toEqual([1, 20]);
  expect(appended.flat().map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
  expect(ledger.state).toMatchObject({ version: 21, lastMessage: 20, ignored: 0 });
});

test('if `gather` waits for the end of the event loop turn, commits all appends of that turn together', async () => {
  const { ledger, commits } = await openCounted({ gather: () => setImmediate() });
  await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      // Makes the appends in different microtasks of the same event loop turn.
      for (let step = 0; step < index; step += 1) await Promise.resolve();
      await ledger.append(({ lastMessage }) => [queued(lastMessage + 1)]);
    }),
  );
  expect(commits).toEqual([1, 5]);
});

test('commits all steps of an append together, and passes to each step the events staged before it', async () => {
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
  expect(ledger.state).toMatchObject({ lastMessage: 3, ignored: 0 });
});

test('if a step of an append throws, stages nothing of that append but writes the other appends of the commit', async () => {
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
  expect(ledger.state).toMatchObject({ version: 3, lastMessage: 2, ignored: 0 });
});

test('refuses only a malformed event, and writes the other events of the commit', async () => {
  const ledger = await open('first');
  const bad = { ...dispatched(1), issue: '../x' } as EventBody;
  const [first, refused, last] = await Promise.allSettled([
    ledger.append(({ lastMessage }) => [queued(lastMessage + 1)]),
    ledger.append([bad]),
    ledger.append(({ lastMessage }) => [queued(lastMessage + 1)]),
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'input.invalid' } });
  expect([first, last]).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  expect(ledger.state).toMatchObject({ version: 3, lastMessage: 2, ignored: 0 });
});

test('rejects every append of a failed commit and leaves the state unchanged', async () => {
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
  expect(first.state).toMatchObject({ version: 1, lastMessage: 0 });
  expect(first.fenced.aborted).toBe(true);
});

test('notifies listeners of each append in a commit separately, with the state after that append', async () => {
  const ledger = await open('first');
  const heard: [number[], number][] = [];
  ledger.subscribe((events) => heard.push([events.map(({ seq }) => seq), ledger.state.version]));
  await Promise.all([ledger.append([queued(1), queued(2)]), ledger.append([]), ledger.append([queued(3)])]);
  expect(heard).toEqual([
    [[2, 3], 3],
    [[4], 4],
  ]);
});

test('saves a snapshot immediately after a start that folds more than 1,000 events', async () => {
  await fill(1_001);
  const before = await openSqliteJournal(join(folder, 'journal.db'));
  expect(await before.latestSnapshot()).toBeUndefined();
  await open('first');
  expect((await before.latestSnapshot())?.version).toBe(1_002);
  await before.close();
});

test('saves no snapshot after a start that folds fewer than 1,000 events', async () => {
  await fill(900);
  await open('first');
  const reader = await openSqliteJournal(join(folder, 'journal.db'));
  expect(await reader.latestSnapshot()).toBeUndefined();
  await reader.close();
});

test('saves snapshots of a large state less often', async () => {
  const { ledger, snapshots } = await openCounted();
  const large = 'x'.repeat(3_000_000);
  await ledger.append([{ ...queued(1), body: large } as EventBody]);
  for (let part = 0; part < 8; part += 1) {
    await ledger.append(Array.from({ length: 500 }, (_, index) => queued(part * 500 + index + 2)));
  }
  // The first snapshot is saved after 1,000 events. The number of events until the next one grows
  // with the state: one event for each thousand characters of the state.
  expect(snapshots).toEqual([1_002]);
  await ledger.append(Array.from({ length: 500 }, (_, index) => queued(4_002 + index)));
  await ledger.confirm();
  expect(snapshots).toEqual([1_002, 4_502]);
});

/**
 * Opens a ledger and records the number of events in each commit and the version of each snapshot.
 */
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

/**
 * Writes events without closing the ledger, so that the journal looks as if the daemon had been
 * killed.
 */
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
