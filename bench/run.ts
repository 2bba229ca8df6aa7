/**
 * `npm run bench`: measures everything that has a performance target. The figures come from a
 * single run, so they are noisy.
 */
import { styleText } from 'node:util';
import { type BenchArguments, readBenchArguments, USAGE } from './arguments.ts';
import type { Bench } from './bench.ts';
import { boardBench } from './benchmarks/board.ts';
import { githubBench } from './benchmarks/github.ts';
import { growthBench } from './benchmarks/growth.ts';
import { idleBench } from './benchmarks/idle.ts';
import { issueBench } from './benchmarks/issue.ts';
import { jjWorkspaceBench } from './benchmarks/jj-workspace.ts';
import { journalBench } from './benchmarks/journal.ts';
import { localBoardBench } from './benchmarks/local-board.ts';
import { pureBench } from './benchmarks/pure.ts';
import { reportToSpawnBench } from './benchmarks/report-to-spawn.ts';
import { soakBench } from './benchmarks/soak.ts';
import { startBench } from './benchmarks/start.ts';
import { statusBench } from './benchmarks/status.ts';
import type { Measurement } from './measurement.ts';

const BENCHES: readonly Bench[] = [
  pureBench,
  journalBench,
  startBench,
  boardBench,
  localBoardBench,
  githubBench,
  growthBench,
  statusBench,
  idleBench,
  issueBench,
  soakBench,
  reportToSpawnBench,
  jjWorkspaceBench,
];

/**
 * Time limit for cleaning up. After a deadline or Ctrl-C, a benchmark stops everything it has
 * started. If that takes longer than this, the process exits anyway.
 */
const CLEANUP_MS = 60_000;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let given: BenchArguments;
  try {
    given = readBenchArguments(
      args,
      BENCHES.map(({ name }) => name),
    );
  } catch (error) {
    process.stderr.write(`bench: ${(error as Error).message}\n${USAGE}\n`);
    return EXIT_USAGE;
  }
  if (given.help) {
    process.stdout.write(
      `${USAGE}\n\n${BENCHES.map(({ name, description }) => `  ${name.padEnd(16)} ${description}\n`).join('')}`,
    );
    return 0;
  }
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interrupted.abort(new Error(`Interrupted by ${name}.`)));
  }
  return await runAll(given, interrupted.signal);
}

async function runAll(given: BenchArguments, interrupted: AbortSignal): Promise<number> {
  const measurements: Measurement[] = [];
  const failed: string[] = [];
  const chosen = BENCHES.filter(({ name }) => given.names.includes(name));
  for (const [index, bench] of chosen.entries()) {
    const place = `[${index + 1}/${chosen.length}] ${bench.name}`;
    try {
      measurements.push(...(await runOne(bench, given.short, interrupted, place)));
    } catch (error) {
      if (interrupted.aborted) {
        printProgress('Interrupted; everything the benchmark started has been stopped.');
        return EXIT_INTERRUPTED;
      }
      failed.push(bench.name);
      printProgress(`${place} failed: ${(error as Error).message}`);
    }
  }
  if (given.json)
    console.log(JSON.stringify({ node: process.version, short: given.short, measurements, failed }));
  else for (const measurement of measurements) console.log(formatLine(measurement));
  return failed.length === 0 ? 0 : EXIT_FAILED;
}

async function runOne(
  bench: Bench,
  short: boolean,
  interrupted: AbortSignal,
  place: string,
): Promise<Measurement[]> {
  const begun = performance.now();
  printProgress(`${place}: ${bench.description}`);
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new Error(`${bench.name} took longer than ${bench.deadlineMs / 1_000} s.`));
  }, bench.deadlineMs);
  const signal = AbortSignal.any([interrupted, deadline.signal]);
  let cleanup: NodeJS.Timeout | undefined;
  signal.addEventListener(
    'abort',
    () => {
      cleanup = exitIfCleanupHangs(bench.name);
    },
    { once: true },
  );
  try {
    const measurements = await bench.run({
      short,
      signal,
      progress: (step) => printProgress(`${place}: ${step}`),
    });
    signal.throwIfAborted();
    printProgress(`${place}: finished in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    return measurements;
  } finally {
    clearTimeout(timer);
    clearTimeout(cleanup);
  }
}

function exitIfCleanupHangs(name: string): NodeJS.Timeout {
  printProgress(`Stopping ${name} …`);
  return setTimeout(() => {
    printProgress(`${name} did not stop within ${CLEANUP_MS / 1_000} s. Look for processes it left behind.`);
    process.exit(EXIT_FAILED);
  }, CLEANUP_MS);
}

/** Writes to stderr even with --json, so that an operator who waits for minutes sees progress. */
function printProgress(text: string): void {
  process.stderr.write(styleText('dim', `${text}\n`, { stream: process.stderr }));
}

function formatLine({ name, value, unit, goal, met }: Measurement): string {
  const figure = `${value.toLocaleString('en')} ${unit}`;
  const verdict = met ? styleText('green', 'met') : styleText('red', 'missed');
  return `${name.padEnd(58)} ${figure.padStart(16)}   goal ${goal.padEnd(12)} ${verdict}`;
}
