import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../src/daemon/ledger.ts';
import { swarmAt } from '../../src/daemon/load-swarm.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { EventBody } from '../../src/domain/event.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';

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
  const ledger = await openLedger(narrow, clock, 'first', (error) => told.push(error));
  await ledger.append(Array.from({ length: 1_000 }, (_, index) => queued(index + 1)));
  await ledger.append([queued(1_001)]);
  expect(told).toHaveLength(1);
  expect(ledger.swarm.lastMessage).toBe(1_001);
  await ledger.close();
});

async function open(leader: string): Promise<Ledger> {
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  const ledger = await openLedger(journal, clock, leader, (error) => {
    throw error;
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
