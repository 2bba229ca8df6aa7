/**
 * Opens a journal written by the first Legion version, folds it, appends to it and opens it again.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import type { Ledger } from '../../../src/daemon/context/ledger.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';

const EVENTS = 20;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-earliest-'));
  const db = new DatabaseSync(join(folder, 'journal.db'));
  db.exec(readFileSync(join(import.meta.dirname, 'earliest-journal.sql'), 'utf8'));
  db.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function open(): Promise<Ledger> {
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  return openLedger(journal, systemClock, 'today', {
    onSnapshotFailure: (error) => {
      throw error;
    },
  });
}

test('opens a journal in the first format and folds it correctly', async () => {
  const ledger = await open();
  const { state } = ledger;
  expect(state).toMatchObject({ version: EVENTS + 1, epoch: 3, leader: 'today', lastIntent: 1 });
  const planner = state.workers.get('a-1-plan');
  expect(planner).toMatchObject({ attempt: 1, lastReport: 2, lastWait: 1, process: { pid: 4711 } });
  expect(planner && toLifecycleState(planner.facts)).toBe('finished');
  const implementer = state.workers.get('a-1-implement');
  expect(implementer && toLifecycleState(implementer.facts)).toBe('crashed');
  expect(implementer?.failedLives).toHaveLength(1);
  expect(state.issues.get('A-1')).toMatchObject({
    lastDecision: 1,
    lastHandoff: 1,
    lastEvidence: 1,
    lastOwed: 1,
    openIntents: 0,
    evidence: { quality_gate: { sha: 'abc', verdict: 'passed' } },
  });
  expect(state.intents.size).toBe(0);
  expect([...state.present]).toEqual([]);
  await ledger.close();
});

test('appends to a journal in the first format, and restores the same state at the next start', async () => {
  const first = await open();
  await first.append([
    {
      type: 'attempt.dispatched',
      issue: 'A-1',
      mode: 'implement',
      attempt: 2,
      session: 's-2',
      version: 0,
      host: 'here',
    },
  ]);
  const kept = [...first.state.workers];
  await first.close();
  const second = await open();
  expect([...second.state.workers]).toEqual(kept);
  expect(second.state.present.has('a-1-implement' as never)).toBe(true);
  // The state is the same whether it is restored from the snapshot or from all events.
  const { state } = second;
  await second.close();
  const db = new DatabaseSync(join(folder, 'journal.db'));
  db.exec('DELETE FROM snapshots');
  db.close();
  const third = await open();
  expect([...third.state.workers]).toEqual([...state.workers]);
  expect(third.state.issues).toEqual(state.issues);
  await third.close();
});
