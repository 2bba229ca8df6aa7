/** Any moment of random histories, and the same moment by a fold from the beginning. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventBody } from '../../../../src/core/model/event.ts';
import { type Ledger, openLedger } from '../../../../src/daemon/context/journal-ledger.ts';
import { pastBoard } from '../../../../src/daemon/desks/dashboard/board/past-board.ts';
import { presentBoard } from '../../../../src/daemon/desks/dashboard/board/present-board.ts';
import { Chronicle } from '../../../../src/daemon/desks/dashboard/past/chronicle.ts';
import { Moments } from '../../../../src/daemon/desks/dashboard/past/moments.ts';
import { swarmAt } from '../../../../src/daemon/load-swarm.ts';
import { swarmAsJson } from '../../../../src/daemon/present/swarm.ts';
import type { Journal } from '../../../../src/journal/journal.ts';
import { openSqliteJournal } from '../../../../src/journal/sqlite/sqlite-journal.ts';
import { boardSchema, type Card } from '../../../../src/protocol/dashboard.ts';
import { histories } from '../../../core/state/histories.ts';
import { assertAsyncProperty } from '../../../support/property.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';
import { type DeskLegion, deskLegion } from '../legion.ts';

/** Each is a file of its own, with a fold for each of its versions. */
const RUNS = { numRuns: 15 };
/** More than one batch of the journal, and more than one keyframe. */
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
  readonly moments: Moments;
}

/** One event a second; some come in one append. */
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
  return { path, journal, ledger, moments: new Moments(ledger, new Chronicle(ledger)) };
}

test('the board of every version of a random history is one, and the state is that of a fold from the beginning', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(histories, fc.array(fc.nat(), { maxLength: 10 }), async (bodies, jumps) => {
      const { journal, ledger, moments } = await written(bodies);
      const every = Array.from({ length: ledger.version }, (_, index) => index + 1);
      // There and back, and anywhere in between: what is kept must not show.
      for (const version of [
        ...every,
        ...jumps.map((jump) => 1 + (jump % ledger.version)),
        ...every.toReversed(),
      ]) {
        const moment = await moments.at({ version });
        expect(moment.swarm.version).toBe(version);
        expect(boardSchema.parse(pastBoard(moment))).toMatchObject({ version, isPresent: false });
        if (version % 7 === 0)
          expect(swarmAsJson(moment.swarm)).toEqual(swarmAsJson(await swarmAt(journal, { version })));
      }
      await ledger.close();
    }),
    RUNS,
  );
});

test('a moment by time is that of a fold from the beginning; before the first event it is the first, after the last the last', async () => {
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
          const { swarm } = await moments.at({ time });
          expect(swarmAsJson(swarm)).toEqual(swarmAsJson(await swarmAt(journal, { time })));
        }
        expect((await moments.at({ time: 0 })).swarm.version).toBe(1);
        expect((await moments.at({ version: 0 })).swarm.version).toBe(1);
        expect((await moments.at({ time: last + 1e9 })).swarm.version).toBe(ledger.version);
        expect((await moments.at({ version: 1e9 })).swarm.version).toBe(ledger.version);
        await ledger.close();
      },
    ),
    RUNS,
  );
});

test('the board at the last version is the board of the present, in what both have', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(histories, async (bodies) => {
      const { ledger, moments } = await written(bodies);
      // The loop has seen what the journal says it saw.
      const all = [...ledger.swarm.board].flatMap(([id, { title, status, column, left }]) => {
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
          addedDependencies: [],
          clarified: false,
        } as const;
        return left === true ? [] : [{ issue: { ...issue, source: { kind: 'local' } as const }, ...seen }];
      });
      const world = { ...legion.world, ledger };
      world.view.replaceAll(all);
      const present = presentBoard(world, { undecided: () => [], doings: () => new Map() });
      const past = pastBoard(await moments.at({ version: ledger.version }));
      expect(present.version).toBe(past.version);
      expect(past.cards.map(both)).toEqual(present.cards.map(both));
      await ledger.close();
    }),
    RUNS,
  );
});

test('keyframes change nothing, and what was added since is part of the past, too', async () => {
  const { journal, ledger, moments } = await written(longHistory(LONG_EVENTS), 100);
  for (const version of [6_400, 1_999, 2_000, 2_001, 4_321, 5, 4_322]) {
    const { swarm } = await moments.at({ version });
    expect(swarmAsJson(swarm)).toEqual(swarmAsJson(await swarmAt(journal, { version })));
  }
  await ledger.append([
    { type: 'issue.left', issue: 'A-1', sight: ledger.swarm.board.get('A-1')?.sight ?? 0 },
  ]);
  const { swarm } = await moments.at({ version: ledger.version });
  expect(swarmAsJson(swarm)).toEqual(swarmAsJson(ledger.swarm));
  await ledger.close();
});

test('a row that cannot be read is a coded error for what comes after it, and none for what came before', async () => {
  const { path, ledger, moments } = await written(longHistory(50), 1);
  const db = new DatabaseSync(path);
  db.exec(`UPDATE events SET body = '{' WHERE seq = 30`);
  db.close();
  expect((await moments.at({ version: 29 })).swarm.version).toBe(29);
  await expect(moments.at({ version: 31 })).rejects.toMatchObject({ code: 'journal.corrupt' });
  await expect(new Chronicle(ledger).caughtUp()).rejects.toMatchObject({ code: 'journal.corrupt' });
  await ledger.close();
});

function both({ id, title, status, column, since, worker, waits, spentUsd }: Card) {
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
