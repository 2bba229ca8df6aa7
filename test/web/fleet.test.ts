/** The order of workers, and the words and lines of charts. */
import { expect, test } from 'vitest';
import { amountTicks, spanTicks, timeTicks } from '../../web/src/charts/ticks.ts';
import { killWords, partWords } from '../../web/src/pages/fleet/figures/words.ts';
import { hostsOf } from '../../web/src/pages/fleet/now/hosts.ts';
import { fits, readSorting, rowsOf, sorted, sortField } from '../../web/src/pages/fleet/workers/rows.ts';
import { card } from './support/facts.ts';
import { workerOf } from './support/fleet-facts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('an axis ends at or above the highest value, in steps people count by', () => {
  const values = (ticks: readonly { value: number }[]) => ticks.map(({ value }) => value);
  expect(values(amountTicks(6, 4, true, String))).toEqual([0, 2, 4, 6]);
  expect(values(amountTicks(1, 4, true, String))).toEqual([0, 1]);
  expect(values(amountTicks(97, 4, true, String))).toEqual([0, 50, 100]);
  expect(values(amountTicks(0, 4, false, String)).at(-1)).toBeGreaterThan(0);
  expect(spanTicks(150 * MINUTE, 4).map(({ says }) => says)).toEqual(['0', '1h', '2h', '3h']);
  expect(spanTicks(900 * DAY, 4).at(-1)?.value).toBeGreaterThanOrEqual(900 * DAY);
});

test('times below a chart lie within it, at full parts of a clock', () => {
  const from = new Date(2026, 10, 16, 9, 7).getTime();
  const ticks = timeTicks(from, from + HOUR, 4);
  expect(ticks.map(({ says }) => says)).toEqual(['09:15', '09:30', '09:45', '10:00']);
  for (const { value } of timeTicks(from, from + 30 * DAY, 6)) {
    expect(value).toBeGreaterThanOrEqual(from);
    expect(value).toBeLessThanOrEqual(from + 30 * DAY);
  }
});

test('a part of a day has its hours, a part of a month its days', () => {
  const from = new Date(2026, 10, 16, 9, 0).getTime();
  expect(partWords({ from, to: from + HOUR, value: 0 }, { from, to: from + DAY })).toBe('09:00–10:00');
  expect(partWords({ from, to: from + DAY, value: 0 }, { from, to: from + 30 * DAY })).toBe(
    'Nov 16 09:00 – Nov 17 09:00',
  );
});

test('the rate of false kills counts those only of which it is known', () => {
  expect(killWords({ right: 0, wrong: 0, unjudged: 0 })).toBe('No worker was killed.');
  expect(killWords({ right: 0, wrong: 0, unjudged: 1 })).toBe(
    '1 worker was killed. Whether that was right is not known yet.',
  );
  expect(killWords({ right: 3, wrong: 0, unjudged: 0 })).toContain('a false-kill rate of 0 %');
  expect(killWords({ right: 2, wrong: 1, unjudged: 5 })).toContain(
    '8 workers were killed; 1 of the 3 judged ones wrongly: a false-kill rate of 33.3 %. Of 5',
  );
});

test('hosts are counted by who has a place on them, the daemon’s own first', () => {
  const workers = [
    workerOf('A-1', 'plan', { host: 'attic' }),
    workerOf('A-2', 'plan', { host: 'attic', status: 'waiting-user' }),
    workerOf('A-3', 'plan', { host: 'cellar', status: 'finished' }),
  ];
  expect(hostsOf('bench', workers)).toEqual([
    { host: 'bench', live: 0, waiting: 0 },
    { host: 'attic', live: 1, waiting: 1 },
  ]);
});

test('a row has the title of its issue, where the board has it', () => {
  const [mine, other] = rowsOf([workerOf('A-1', 'plan'), workerOf('A-2', 'test')], [card('A-1', 'First')]);
  expect([mine?.title, other?.title]).toEqual(['First', undefined]);
});

test('those at work stand first, then those that wait, fail and have ended; issues are sorted as people count', () => {
  const of = (issue: string, status: ReturnType<typeof workerOf>['status']) =>
    workerOf(issue, 'plan', { status, since: 0 });
  const rows = rowsOf(
    [of('A-10', 'finished'), of('A-9', 'paused'), of('A-2', 'waiting-quota'), of('A-1', 'executing')],
    [],
  );
  const ids = (by: string) =>
    sorted(rows, readSorting(new URLSearchParams({ sort: by }))).map(({ worker: { issue } }) => issue);
  expect(ids('')).toEqual(['A-1', 'A-2', 'A-9', 'A-10']);
  expect(ids('-issue')).toEqual(['A-10', 'A-9', 'A-2', 'A-1']);
  expect(ids('nonsense')).toEqual(ids(''));
  expect(sortField(readSorting(new URLSearchParams()))).toBeNull();
});

test('all words must be somewhere in the row', () => {
  const [row] = rowsOf([workerOf('A-1', 'plan', { host: 'attic' })], [card('A-1', 'Squeaking door')]);
  if (row === undefined) throw new Error('no row');
  expect(fits(row, 'current', 'attic DOOR')).toBe(true);
  expect(fits(row, 'current', 'attic window')).toBe(false);
  expect(fits(row, 'waiting', '')).toBe(false);
});

test('of those at work the longest stands first, of those that have ended the last', () => {
  const of = (issue: string, status: 'executing' | 'finished', since: number) =>
    workerOf(issue, 'plan', { status, since });
  const rows = rowsOf(
    [
      of('A-1', 'finished', 1),
      of('A-2', 'finished', 2),
      of('A-3', 'executing', 4),
      of('A-4', 'executing', 3),
    ],
    [],
  );
  const order = sorted(rows, readSorting(new URLSearchParams())).map(({ worker: { issue } }) => issue);
  expect(order).toEqual(['A-4', 'A-3', 'A-2', 'A-1']);
});
