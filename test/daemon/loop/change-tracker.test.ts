/** Which events void what a look has seen of an issue. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import type { SeenIssue } from '../../../src/core/state/observation.ts';
import { type Ledger, openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import { Touched } from '../../../src/daemon/loop/change-tracker.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';

const clock: Clock = { now: () => 1_000, monotonic: () => 0, sleep: () => Promise.resolve() };
const ATTEMPT = { issue: 'ENG-1', mode: 'implement', attempt: 1 } as const;
const BOARD = [{ issue: { id: 'ENG-1' } } as SeenIssue];

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

/** The issues that have to be looked at again because of these events. */
async function lookedAtAgain(events: readonly EventBody[]): Promise<readonly string[]> {
  const touched = new Touched(ledger);
  const since = ledger.swarm.version;
  await ledger.append(events);
  const again: string[] = [];
  touched.untouchedSince(since, BOARD, (issue) => again.push(issue), []);
  return again;
}

test('a report that is accepted voids what was seen of its issue', async () => {
  const events: EventBody[] = [
    { type: 'attempt.reported', ...ATTEMPT, report: 1, outcome: 'done', summary: 'done' },
  ];
  expect(await lookedAtAgain(events)).toEqual(['ENG-1']);
});

test('the end of a process changes neither board nor pull request, so a look that saw both still holds', async () => {
  expect(await lookedAtAgain([{ type: 'attempt.exited', ...ATTEMPT, code: 0, signal: null }])).toEqual([]);
});
