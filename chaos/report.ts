/** Formats the result of a run: a table for people, one line of JSON for machines. */
import { availableParallelism, loadavg } from 'node:os';
import { styleText } from 'node:util';
import type { ChaosOptions } from './arguments.ts';
import type { ChaosRun } from './harness.ts';
import type { ChaosVerdict } from './verdict.ts';

/** Maximum number of failures printed per promise. The rest are only counted. */
const MAX_SHOWN_PROBLEMS = 10;

/**
 * Returns the load average of the last fifteen minutes. The report includes it, because slow starts
 * on a busy machine say little about Legion.
 */
function load(): number {
  return Math.round((loadavg()[2] ?? 0) * 10) / 10;
}

export function formatJsonReport(
  { seed }: ChaosOptions,
  run: ChaosRun,
  judged: readonly ChaosVerdict[],
): string {
  const { seen, counts, moments } = run;
  const wrong = judged.flatMap((verdict) => verdict.wrong);
  return JSON.stringify({
    ok: wrong.length === 0,
    seed,
    kills: counts,
    moments,
    issues: seen.titles.length,
    load: load(),
    cores: availableParallelism(),
    adopted: seen.adopted,
    slowestReadyMs: Math.round(Math.max(0, ...seen.readyMs)),
    verdicts: judged.map(({ promise, wrong: broken, seen: what }) => ({
      promise,
      ok: broken.length === 0,
      seen: what,
    })),
    wrong,
    ...(wrong.length === 0 ? {} : { left: run.folder }),
  });
}

export function formatReportTable(
  { seed }: ChaosOptions,
  run: ChaosRun,
  judged: readonly ChaosVerdict[],
): string {
  const { daemon, workers, runners } = run.counts;
  const width = Math.max(...judged.map(({ promise }) => promise.length));
  const moments = Object.entries(run.moments).map(([name, count]) => `${name} ${count}`);
  return [
    `seed ${seed}: killed daemon ${daemon}, workers ${workers}, runners ${runners}`,
    `moments: ${moments.join(', ')}`,
    `machine: load ${load()} on ${availableParallelism()} cores`,
    '',
    ...judged.flatMap((verdict) => formatVerdictLines(verdict, width)),
    '',
  ].join('\n');
}

function formatVerdictLines({ promise, seen, wrong }: ChaosVerdict, width: number): string[] {
  const isKept = wrong.length === 0;
  const mark = isKept ? styleText('green', 'kept  ') : styleText('red', 'BROKEN');
  const more =
    wrong.length > MAX_SHOWN_PROBLEMS ? [`    … and ${wrong.length - MAX_SHOWN_PROBLEMS} more`] : [];
  return [
    `${mark}  ${promise.padEnd(width)}  ${seen}`,
    ...wrong.slice(0, MAX_SHOWN_PROBLEMS).map((line) => `    ${line}`),
    ...more,
  ];
}
