import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../src/daemon/context/journal-ledger.ts';
import { leaderOnly } from '../../src/daemon/leader-only.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { systemClock } from '../../src/lib/async/system-clock.ts';
import { openLocalBoard } from '../../src/trackers/local/open-local-board.ts';

let folder: string;
let opened: Ledger[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-leader-only-'));
  opened = [];
});

afterEach(async () => {
  for (const ledger of opened) await ledger.close();
  rmSync(folder, { recursive: true });
});

test('whoever was replaced writes nothing outside any more, may still look, and learns that it was', async () => {
  const board = await openLocalBoard(join(folder, 'board.db'), { prefix: 'L', now: systemClock.now });
  const first = await lead('first');
  const held = leaderOnly(first).board(board);
  const issue = await held.create('one', {
    ...{ title: 'Greet', body: 'It should greet.', status: 'Triage', labels: [], priority: 0, blockedBy: [] },
  });
  const second = await lead('second');
  const change = { moveTo: 'Backlog', labels: { add: [], remove: [] } } as const;
  await expect(held.write(issue, change)).rejects.toMatchObject({ code: 'journal.fenced' });
  await expect(held.comment(issue, 'key', 'I was here.')).rejects.toMatchObject({ code: 'journal.fenced' });
  expect(first.fenced.aborted).toBe(true);
  const { signal } = new AbortController();
  expect(await held.read(issue, signal)).toMatchObject({ column: 'Triage' });
  await leaderOnly(second).board(board).write(issue, change);
  expect(await held.read(issue, signal)).toMatchObject({ column: 'Backlog' });
  expect(second.fenced.aborted).toBe(false);
  await board.dispose();
});

async function lead(name: string): Promise<Ledger> {
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  const ledger = await openLedger(journal, systemClock, name, { onSnapshotFailure: () => undefined });
  opened.push(ledger);
  return ledger;
}
