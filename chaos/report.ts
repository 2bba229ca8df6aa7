/** The result of a run: a table for people, one line of JSON for machines. */
import { availableParallelism, loadavg } from 'node:os';
import { styleText } from 'node:util';
import type { Order } from './arguments.ts';
import type { Run } from './harness.ts';
import type { Verdict } from './verdict.ts';

/** So many of one promise's failures are told; the rest are counted. */
const TOLD_MOST = 10;

/** Of the last fifteen minutes: a start that took long on a machine with much else to do says little about Legion. */
function load(): number {
  return Math.round((loadavg()[2] ?? 0) * 10) / 10;
}

export function asJson({ seed }: Order, run: Run, judged: readonly Verdict[]): string {
  const { seen, counts, moments } = run;
  const wrong = judged.flatMap((verdict) => verdict.wrong);
  return JSON.stringify({
    ...{ ok: wrong.length === 0, seed, kills: counts, moments, issues: seen.titles.length },
    ...{
      load: load(),
      cores: availableParallelism(),
      adopted: seen.adopted,
      slowestReadyMs: Math.round(Math.max(0, ...seen.readyMs)),
    },
    verdicts: judged.map(({ promise, wrong: broken, seen: what }) => ({
      promise,
      ok: broken.length === 0,
      seen: what,
    })),
    wrong,
    ...(wrong.length === 0 ? {} : { left: run.folder }),
  });
}

export function asTable({ seed }: Order, run: Run, judged: readonly Verdict[]): string {
  const { daemon, workers, runners } = run.counts;
  const width = Math.max(...judged.map(({ promise }) => promise.length));
  const moments = Object.entries(run.moments).map(([name, count]) => `${name} ${count}`);
  return [
    `seed ${seed}: killed daemon ${daemon}, workers ${workers}, runners ${runners}`,
    `moments: ${moments.join(', ')}`,
    `machine: load ${load()} on ${availableParallelism()} cores`,
    '',
    ...judged.flatMap((verdict) => lines(verdict, width)),
    '',
  ].join('\n');
}

function lines({ promise, seen, wrong }: Verdict, width: number): string[] {
  const isKept = wrong.length === 0;
  const mark = isKept ? styleText('green', 'kept  ') : styleText('red', 'BROKEN');
  const more = wrong.length > TOLD_MOST ? [`    … and ${wrong.length - TOLD_MOST} more`] : [];
  return [
    `${mark}  ${promise.padEnd(width)}  ${seen}`,
    ...wrong.slice(0, TOLD_MOST).map((line) => `    ${line}`),
    ...more,
  ];
}
