/** Compares the state at arbitrary moments of random histories with a fold from the beginning. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventBody } from '../../../../src/core/model/event.ts';
import { loadStateAt, openLedger } from '../../../../src/daemon/context/journal-ledger.ts';
import type { Ledger } from '../../../../src/daemon/context/ledger.ts';
import { buildPastBoard, buildPresentBoard } from '../../../../src/daemon/services/dashboard/board.ts';
import { JournalHistory } from '../../../../src/daemon/services/dashboard/history.ts';
import { PastStates } from '../../../../src/daemon/services/dashboard/moments.ts';
import { toStateJson } from '../../../../src/daemon/services/operator/operator.ts';
import { openSqliteJournal } from '../../../../src/journal/sqlite/sqlite-journal.ts';
import type { Journal } from '../../../../src/ports/journal.ts';
import { boardSchema, type DashboardCard } from '../../../../src/protocol/dashboard.ts';
import { histories } from '../../../core/state/histories.ts';
import { assertAsyncProperty } from '../../../support/property.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { type DeskLegion, deskLegion } from '../legion.ts';

/**
 * Few runs, because each run has its own journal file and folds the events again for each version.
 */
const RUNS = { numRuns: 15 };
/** Enough events for more than one batch of the journal and more than one keyframe. */
const LONG_EVENTS = 6_500;

let folder: string;
let legion: DeskLegion;
let files = 0;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'legion-past-'));
  legion = await deskLegion();
});
afterAll(async () => {
  await legion.close();
  rmSync(folder, { recursive: true });
});

interface Written {
  readonly path: string;
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly moments: PastStates;
}

/** Appends the events in groups of size `at`, one group per second. */
async function written(bodies: readonly EventBody[], at = 1): Promise<Written> {
  files += 1;
  const path = join(folder, `${files}.db`);
  const journal = await openSqliteJournal(path);
  const clock = new VirtualClock();
  const ledger = await openLedger(journal, clock, 'test', { onSnapshotFailure: () => undefined });
  for (let index = 0; index < bodies.length; index += at) {
    await clock.advance(1_000);
    await ledger.append(bodies.slice(index, index + at));
  }
  return { path, journal, ledger, moments: new PastStates(ledger, new JournalHistory(ledger)) };
}

test('every version of a random history has a valid board and the same state as a fold from the beginning', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(histories, fc.array(fc.nat(), { maxLength: 10 }), async (bodies, jumps) => {
      const { journal, ledger, moments } = await written(bodies);
      const every = Array.from({ length: ledger.version }, (_, index) => index + 1);
      // Visits versions forwards, at random and backwards: cached moments must not change the
      // result.
      for (const version of [
        ...every,
        ...jumps.map((jump) => 1 + (jump % ledger.version)),
        ...every.toReversed(),
      ]) {
        const moment = await moments.at({ version });
        expect(moment.state.version).toBe(version);
        expect(boardSchema.parse(buildPastBoard(moment))).toMatchObject({ version, isPresent: false });
        if (version % 7 === 0)
          expect(toStateJson(moment.state)).toEqual(toStateJson(await loadStateAt(journal, { version })));
      }
      await ledger.close();
    }),
    RUNS,
  );
});

test('the state at a given time equals a fold from the beginning, and times outside the journal are clamped to its first or last event', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(
      histories,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }),
      async (bodies, shares) => {
        const { journal, ledger, moments } = await written(bodies, 3);
        const { at: first } = await moments.at({ version: 1 });
        const { at: last } = await moments.at({ version: ledger.version });
        for (const share of shares) {
          const time = first + share * (last - first);
          const { state } = await moments.at({ time });
          expect(toStateJson(state)).toEqual(toStateJson(await loadStateAt(journal, { time })));
        }
        expect((await moments.at({ time: 0 })).state.version).toBe(1);
        expect((await moments.at({ version: 0 })).state.version).toBe(1);
        expect((await moments.at({ time: last + 1e9 })).state.version).toBe(ledger.version);
        expect((await moments.at({ version: 1e9 })).state.version).toBe(ledger.version);
        await ledger.close();
      },
    ),
    RUNS,
  );
});

test('the board at the last version equals the present board in the fields that both have', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(histories, async (bodies) => {
      const { ledger, moments } = await written(bodies);
      // Fills the loop's board view with the board that the journal recorded.
      const all = [...ledger.state.board].flatMap(([id, { title, status, column, left }]) => {
        const issue = {
          id,
          title,
          column,
          body: '',
          labels: [],
          priority: 0,
          createdAt: 0,
          openBlockers: [],
        } as const;
        const seen = {
          status,
          pullRequest: 'none',
          changes: new Map(),
          clarified: false,
        } as const;
        return left === true ? [] : [{ issue: { ...issue, source: { kind: 'local' } as const }, ...seen }];
      });
      const world = { ...legion.world, ledger };
      world.boardView.replaceAll(all);
      const present = buildPresentBoard(world, { listUndecided: () => [], listActivities: () => new Map() });
      const past = buildPastBoard(await moments.at({ version: ledger.version }));
      expect(present.version).toBe(past.version);
      expect(past.cards.map(both)).toEqual(present.cards.map(both));
      await ledger.close();
    }),
    RUNS,
  );
});

test('keyframes do not change the restored state, and events appended later are included', async () => {
  const { journal, ledger, moments } = await written(longHistory(LONG_EVENTS), 100);
  for (const version of [6_400, 1_999, 2_000, 2_001, 4_321, 5, 4_322]) {
    const { state } = await moments.at({ version });
    expect(toStateJson(state)).toEqual(toStateJson(await loadStateAt(journal, { version })));
  }
  await ledger.append([
    { type: 'issue.left', issue: 'A-1', sight: ledger.state.board.get('A-1')?.sight ?? 0 },
  ]);
  const { state } = await moments.at({ version: ledger.version });
  expect(toStateJson(state)).toEqual(toStateJson(ledger.state));
  await ledger.close();
});

test('an unreadable row causes an error with a code for moments after the row, but not for moments before it', async () => {
  const { path, ledger, moments } = await written(longHistory(50), 1);
  const db = new DatabaseSync(path);
  db.exec(`UPDATE events SET body = '{' WHERE seq = 30`);
  db.close();
  expect((await moments.at({ version: 29 })).state.version).toBe(29);
  await expect(moments.at({ version: 31 })).rejects.toMatchObject({ code: 'journal.corrupt' });
  await expect(new JournalHistory(ledger).catchUp()).rejects.toMatchObject({ code: 'journal.corrupt' });
  await ledger.close();
});

function both({ id, title, status, column, since, worker, waits, spentUsd }: DashboardCard) {
  return { id, title, status, column, since, worker, waits, spentUsd };
}

function longHistory(count: number): EventBody[] {
  return Array.from({ length: count }, (_, index) => ({
    type: 'issue.sighted',
    issue: 'A-1',
    sight: index + 1,
    title: `Title ${index}`,
    status: 'Todo',
    column: 'Todo',
  }));
}
