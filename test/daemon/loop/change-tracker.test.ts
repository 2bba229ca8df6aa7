/** Checks which events make the board data of a running pass outdated for an issue. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../../src/core/model/clock.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import type { Ledger } from '../../../src/daemon/context/ledger.ts';
import { ChangeTracker } from '../../../src/daemon/loop/change-tracker.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';

const clock: Clock = { now: () => 1_000, monotonic: () => 0, sleep: () => Promise.resolve() };
const ATTEMPT = { issue: 'ENG-1', mode: 'implement', attempt: 1 } as const;
const BOARD = [{ issue: { id: 'ENG-1' } } as ObservedIssue];

let folder: string;
let ledger: Ledger;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'legion-touched-'));
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  ledger = await openLedger(journal, clock, 'first', { onSnapshotFailure: () => undefined });
  const session = '00000000-0000-4000-8000-000000000001';
  await ledger.append([{ type: 'attempt.dispatched', ...ATTEMPT, session, version: 0, host: 'here' }]);
});

afterEach(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true });
});

/** Returns the issues that need another pass because of these events. */
async function lookedAtAgain(events: readonly EventBody[]): Promise<readonly string[]> {
  const touched = new ChangeTracker(ledger);
  const since = ledger.state.version;
  await ledger.append(events);
  const again: string[] = [];
  touched.filterUnchanged(since, BOARD, (issue) => again.push(issue), []);
  return again;
}

test('requests another pass for an issue when a worker reports', async () => {
  const events: EventBody[] = [
    { type: 'attempt.reported', ...ATTEMPT, report: 1, outcome: 'done', summary: 'done' },
  ];
  expect(await lookedAtAgain(events)).toEqual(['ENG-1']);
});

test('requests no further pass when a process exits, because an exit changes neither the board nor a pull request', async () => {
  expect(await lookedAtAgain([{ type: 'attempt.exited', ...ATTEMPT, code: 0, signal: null }])).toEqual([]);
});
