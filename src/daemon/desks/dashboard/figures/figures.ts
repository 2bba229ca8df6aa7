/** How the legion has done within a time: throughput, lead times, stays, kills, attempts, money. */
import type { Figures } from '../../../../protocol/dashboard.ts';
import { type FiguresRecord, GRAIN_MS } from '../../../services/dashboard/figures.ts';

/** Bars of a chart, where a day is not the natural one. */
const PARTS = 24;
const DAY_MS = 24 * 60 * 60_000;
/** Points of a chart; of more, the newest. */
const LEAD_TIMES_MOST = 500;

export function figuresOf(record: FiguresRecord, now: number, back: number): Figures {
  const from = now - back;
  const within = <T extends { readonly at: number }>(all: readonly T[]): T[] =>
    all.filter(({ at }) => at >= from && at <= now);
  const done = within(record.done.all);
  // The part the time begins in counts: it is less than a bar.
  const sums = record.sums.all.filter(({ at }) => at + GRAIN_MS > from && at <= now);
  const kills = within(record.kills.all);
  const led = done.flatMap(({ issue, at, ms }) => (ms === undefined ? [] : [{ issue, doneAt: at, ms }]));
  const stays = Map.groupBy(within(record.stays.all), ({ status }) => status);
  return {
    from,
    to: now,
    throughput: barsOf(from, now, done, sums),
    leadTime: led.length === 0 ? null : spreadOf(led.map(({ ms }) => ms)),
    leadTimes: led.slice(-LEAD_TIMES_MOST),
    phases: [...stays].map(([status, all]) => ({ status, ...spreadOf(all.map(({ ms }) => ms)) })),
    kills: {
      right: kills.filter(({ right }) => right === true).length,
      wrong: kills.filter(({ right }) => right === false).length,
      unjudged: kills.filter(({ right }) => right === undefined).length,
    },
    attempts: { total: sumOf(sums, 'attempts'), crashed: sumOf(sums, 'crashed') },
    spent: {
      usd: sumOf(sums, 'usd'),
      tokens: sumOf(sums, 'tokens'),
      doneUsd: sumOf(
        done.map(({ cost }) => cost),
        'usd',
      ),
    },
  };
}

function barsOf(
  from: number,
  to: number,
  done: readonly { readonly at: number }[],
  sums: readonly { readonly at: number; readonly usd: number }[],
): Figures['throughput'] {
  const back = to - from;
  const parts = back > 2 * DAY_MS ? Math.ceil(back / DAY_MS) : PARTS;
  const bars = Array.from({ length: parts }, (_, index) => ({
    from: from + (index * back) / parts,
    done: 0,
    usd: 0,
  }));
  const barAt = (at: number) => {
    const index = Math.floor(((at - from) / back) * parts);
    return bars[Math.min(Math.max(index, 0), parts - 1)];
  };
  for (const { at } of done) {
    const bar = barAt(at);
    if (bar !== undefined) bar.done += 1;
  }
  for (const { at, usd } of sums) {
    const bar = barAt(at);
    if (bar !== undefined) bar.usd += usd;
  }
  return bars;
}

function sumOf<K extends string>(all: readonly Readonly<Record<K, number>>[], name: K): number {
  return all.reduce((sum, each) => sum + each[name], 0);
}

interface Spread {
  readonly count: number;
  readonly medianMs: number;
  readonly p90Ms: number;
}

/** By the nearest rank: what is shown was measured. */
function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { count: sorted.length, medianMs: rank(0.5), p90Ms: rank(0.9) };
}
