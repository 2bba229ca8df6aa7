/** Tests the order of workers, and the texts and lines of charts. */
import { expect, test } from 'vitest';
import { buildAmountTicks, buildDurationTicks, buildTimeTicks } from '../../web/src/charts/ticks.ts';
import { describeKills, describePart } from '../../web/src/pages/fleet/figures/describe-figures.ts';
import { listHosts } from '../../web/src/pages/fleet/now/hosts.ts';
import {
  buildRows,
  matchRow,
  readSorting,
  sortField,
  sortRows,
} from '../../web/src/pages/fleet/workers/rows.ts';
import { card } from './support/facts.ts';
import { createWorker } from './support/fleet-facts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('an axis ends at or above the highest value, in round steps', () => {
  const values = (ticks: readonly { value: number }[]) => ticks.map(({ value }) => value);
  expect(values(buildAmountTicks(6, 4, true, String))).toEqual([0, 2, 4, 6]);
  expect(values(buildAmountTicks(1, 4, true, String))).toEqual([0, 1]);
  expect(values(buildAmountTicks(97, 4, true, String))).toEqual([0, 50, 100]);
  expect(values(buildAmountTicks(0, 4, false, String)).at(-1)).toBeGreaterThan(0);
  expect(buildDurationTicks(150 * MINUTE, 4).map(({ label }) => label)).toEqual(['0', '1h', '2h', '3h']);
  expect(buildDurationTicks(900 * DAY, 4).at(-1)?.value).toBeGreaterThanOrEqual(900 * DAY);
});

test('time labels are within the chart, at round clock times', () => {
  const from = new Date(2026, 10, 16, 9, 7).getTime();
  const ticks = buildTimeTicks(from, from + HOUR, 4);
  expect(ticks.map(({ label }) => label)).toEqual(['09:15', '09:30', '09:45', '10:00']);
  for (const { value } of buildTimeTicks(from, from + 30 * DAY, 6)) {
    expect(value).toBeGreaterThanOrEqual(from);
    expect(value).toBeLessThanOrEqual(from + 30 * DAY);
  }
});

test('an interval of a chart is labelled with times if the chart covers a day, and with dates and times if it covers a month', () => {
  const from = new Date(2026, 10, 16, 9, 0).getTime();
  expect(describePart({ from, to: from + HOUR, value: 0 }, { from, to: from + DAY })).toBe('09:00–10:00');
  expect(describePart({ from, to: from + DAY, value: 0 }, { from, to: from + 30 * DAY })).toBe(
    'Nov 16 09:00 – Nov 17 09:00',
  );
});

test('the false-kill rate includes only kills that were judged right or wrong', () => {
  expect(describeKills({ right: 0, wrong: 0, unjudged: 0 })).toBe('No worker was killed.');
  expect(describeKills({ right: 0, wrong: 0, unjudged: 1 })).toBe('1 worker was killed. None judged yet.');
  expect(describeKills({ right: 3, wrong: 0, unjudged: 0 })).toContain('a false-kill rate of 0 %');
  expect(describeKills({ right: 2, wrong: 1, unjudged: 5 })).toContain(
    '8 workers were killed; 1 of the 3 judged kills was wrong: a false-kill rate of 33.3 %. 5 not judged yet.',
  );
});

test('each host shows how many workers have a slot on it, and the daemon’s own host comes first', () => {
  const workers = [
    createWorker('A-1', 'plan', { host: 'attic' }),
    createWorker('A-2', 'plan', { host: 'attic', status: 'waiting-user' }),
    createWorker('A-3', 'plan', { host: 'cellar', status: 'finished' }),
  ];
  expect(listHosts('bench', workers)).toEqual([
    { host: 'bench', live: 0, waiting: 0 },
    { host: 'attic', live: 1, waiting: 1 },
  ]);
});

test('a row shows the title of its issue if the issue is on the board', () => {
  const [mine, other] = buildRows(
    [createWorker('A-1', 'plan'), createWorker('A-2', 'test')],
    [card('A-1', 'First')],
  );
  expect([mine?.title, other?.title]).toEqual(['First', undefined]);
});

test('running workers come first, then waiting, failed and ended ones; issues are in natural order', () => {
  const of = (issue: string, status: ReturnType<typeof createWorker>['status']) =>
    createWorker(issue, 'plan', { status, since: 0 });
  const rows = buildRows(
    [of('A-10', 'finished'), of('A-9', 'paused'), of('A-2', 'waiting-quota'), of('A-1', 'executing')],
    [],
  );
  const ids = (by: string) =>
    sortRows(rows, readSorting(new URLSearchParams({ sort: by }))).map(({ worker: { issue } }) => issue);
  expect(ids('')).toEqual(['A-1', 'A-2', 'A-9', 'A-10']);
  expect(ids('-issue')).toEqual(['A-10', 'A-9', 'A-2', 'A-1']);
  expect(ids('nonsense')).toEqual(ids(''));
  expect(sortField(readSorting(new URLSearchParams()))).toBeNull();
});

test('a search matches a row only if the row contains every word of the search', () => {
  const [row] = buildRows([createWorker('A-1', 'plan', { host: 'attic' })], [card('A-1', 'Squeaking door')]);
  if (row === undefined) throw new Error('no row');
  expect(matchRow(row, 'current', 'attic DOOR')).toBe(true);
  expect(matchRow(row, 'current', 'attic window')).toBe(false);
  expect(matchRow(row, 'waiting', '')).toBe(false);
});

test('sorts running workers by longest running time, and ended ones by latest end', () => {
  const of = (issue: string, status: 'executing' | 'finished', since: number) =>
    createWorker(issue, 'plan', { status, since });
  const rows = buildRows(
    [
      of('A-1', 'finished', 1),
      of('A-2', 'finished', 2),
      of('A-3', 'executing', 4),
      of('A-4', 'executing', 3),
    ],
    [],
  );
  const order = sortRows(rows, readSorting(new URLSearchParams())).map(({ worker: { issue } }) => issue);
  expect(order).toEqual(['A-4', 'A-3', 'A-2', 'A-1']);
});
