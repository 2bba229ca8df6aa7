/** A daemon opens a journal of the first Legion, folds it, continues it, and opens it again. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import { lifecycleOf } from '../../../src/domain/lifecycle.ts';
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

test('a journal of the first format opens and folds to what it says', async () => {
  const ledger = await open();
  const { swarm } = ledger;
  expect(swarm).toMatchObject({ version: EVENTS + 1, epoch: 3, leader: 'today', lastIntent: 1 });
  const planner = swarm.workers.get('a-1-plan');
  expect(planner).toMatchObject({ attempt: 1, lastReport: 2, lastWait: 1, process: { pid: 4711 } });
  expect(planner && lifecycleOf(planner.facts)).toBe('finished');
  const implementer = swarm.workers.get('a-1-implement');
  expect(implementer && lifecycleOf(implementer.facts)).toBe('crashed');
  expect(implementer?.failedLives).toHaveLength(1);
  expect(swarm.issues.get('A-1')).toMatchObject({
    ...{ lastDecision: 1, lastHandoff: 1, lastEvidence: 1, lastOwed: 1, openIntents: 0 },
    evidence: { quality_gate: { sha: 'abc', verdict: 'passed' } },
  });
  expect(swarm.intents.size).toBe(0);
  expect([...swarm.present]).toEqual([]);
  await ledger.close();
});

test('a journal of the first format is continued, and the next start finds the same state', async () => {
  const first = await open();
  await first.append([
    {
      type: 'attempt.dispatched',
      ...{ issue: 'A-1', mode: 'implement', attempt: 2, session: 's-2', version: 0, host: 'here' },
    },
  ]);
  const kept = [...first.swarm.workers];
  await first.close();
  const second = await open();
  expect([...second.swarm.workers]).toEqual(kept);
  expect(second.swarm.present.has('a-1-implement' as never)).toBe(true);
  // From the snapshot or from all events: the same.
  const { swarm } = second;
  await second.close();
  const db = new DatabaseSync(join(folder, 'journal.db'));
  db.exec('DELETE FROM snapshots');
  db.close();
  const third = await open();
  expect([...third.swarm.workers]).toEqual([...swarm.workers]);
  expect(third.swarm.issues).toEqual(swarm.issues);
  await third.close();
});
