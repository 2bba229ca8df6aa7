/**
 * `npm run sim`: runs many simulations on all cores, and shrinks each failure to the shortest run
 * that fails in the same way.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs, styleText } from 'node:util';
import { Worker } from 'node:worker_threads';
import {
  filterRelevantLines,
  findMinimalFailure,
  runSimulation,
  type SimulationResult,
} from '../../src/sim/simulation.ts';
import type { SeedRange } from './run-seeds.ts';

type RunSummary = Omit<SimulationResult, 'log'>;

const USAGE = 'npm run sim -- [--seeds N] [--from S] [--first] [--json]';
/** Maximum number of failures printed in full. The rest are listed by seed. */
const MAX_EXPLAINED_SEEDS = 3;
const MAX_SHOWN_LINES = 80;

const given = parseSimOptions();
if (given === undefined) process.exitCode = 2;
else process.exitCode = (await run(given)) ? 0 : 1;

interface SimOptions {
  readonly seeds: number;
  readonly from: number;
  /** Whether to stop at the first failure. */
  readonly first: boolean;
  readonly json: boolean;
}

function parseSimOptions(): SimOptions | undefined {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: 'string', default: '1000' },
        from: { type: 'string', default: '1' },
        first: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [seeds, from] = [Number(values.seeds), Number(values.from)];
    if (!Number.isSafeInteger(seeds) || seeds < 1)
      throw new Error(`--seeds must be a whole number of at least 1, got ${values.seeds}`);
    if (!Number.isSafeInteger(from) || from < 0)
      throw new Error(`--from must be a whole number of at least 0, got ${values.from}`);
    return { seeds, from, first: values.first, json: values.json };
  } catch (error) {
    process.stderr.write(`sim: ${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    return undefined;
  }
}

async function run(wanted: SimOptions): Promise<boolean> {
  const { seeds, from, json } = wanted;
  const begun = performance.now();
  const runs = await runAllSeeds(wanted);
  const durationMs = Math.round(performance.now() - begun);
  const failed = runs.filter(({ ok }) => !ok);
  // A single seed is run twice, and both runs must have the same result.
  const unlike = seeds === 1 ? await isNotReproducible(from, runs[0]?.trace) : false;
  const trace = createHash('sha256')
    .update(runs.map((each) => each.trace).join())
    .digest('hex');
  const events = runs.reduce((sum, each) => sum + each.events, 0);
  const ok = failed.length === 0 && !unlike;
  if (json) {
    const summary = { ok, seeds, from, failed: failed.map(({ seed, broken }) => ({ seed, broken })), unlike };
    const troubles = countFaults(runs);
    process.stdout.write(`${JSON.stringify({ ...summary, events, troubles, trace, durationMs })}\n`);
    return ok;
  }
  for (const { seed } of failed.slice(0, MAX_EXPLAINED_SEEDS)) await explainFailure(seed);
  if (failed.length > 0) process.stdout.write(`failed: ${failed.map(({ seed }) => seed).join(' ')}\n`);
  if (unlike)
    process.stdout.write(styleText('red', `seed ${from} gave a different result the second time\n`));
  const verdict = ok ? styleText('green', 'hold') : styleText('red', `${failed.length} broken`);
  process.stdout.write(
    `${seeds} runs, ${events.toLocaleString('en')} events in ${(durationMs / 1_000).toFixed(1)} s: the promises ${verdict} (trace ${trace.slice(0, 12)})\n`,
  );
  return ok;
}

async function runAllSeeds({ seeds, from, first, json }: SimOptions): Promise<RunSummary[]> {
  const count = Math.min(availableParallelism(), seeds);
  const runs: RunSummary[] = [];
  const share: SeedRange = { from, seeds, begun: new Int32Array(new SharedArrayBuffer(4)) };
  const threads = Array.from(
    { length: count },
    () => new Worker(new URL('run-seeds.ts', import.meta.url), { workerData: share }),
  );
  const ended = threads.map((thread) => {
    thread.on('message', (each: RunSummary) => {
      runs.push(each);
      if (!json && process.stderr.isTTY) process.stderr.write(`\r${runs.length} of ${seeds} `);
      if (first && !each.ok) for (const other of threads) void other.terminate();
    });
    return new Promise<void>((resolve, reject) => thread.once('error', reject).once('exit', () => resolve()));
  });
  await Promise.all(ended);
  if (!json && process.stderr.isTTY) process.stderr.write('\r');
  return runs.sort((one, other) => one.seed - other.seed);
}

/**
 * Counts how often each kind of disturbance occurred, because a kind that never occurs tests
 * nothing.
 */
function countFaults(runs: readonly RunSummary[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const { faultCounts } of runs) {
    for (const [kind, times] of Object.entries(faultCounts)) sums.set(kind, (sums.get(kind) ?? 0) + times);
  }
  return Object.fromEntries([...sums].sort(([one], [other]) => one.localeCompare(other)));
}

async function isNotReproducible(seed: number, trace: string | undefined): Promise<boolean> {
  return (await runSimulation(seed)).trace !== trace;
}

async function explainFailure(seed: number): Promise<void> {
  const { result, needs } = await findMinimalFailure(seed);
  const lines = filterRelevantLines(result).map((line) => line.slice(0, 240));
  const head = styleText('bold', `seed ${seed}: ${result.broken.join('; ')}`);
  process.stdout.write(`${head}\nit needs: ${needs.join(', ') || 'nothing'}\n`);
  if (lines.length > MAX_SHOWN_LINES)
    process.stdout.write(`… ${lines.length - MAX_SHOWN_LINES} earlier lines\n`);
  process.stdout.write(`${lines.slice(-MAX_SHOWN_LINES).join('\n')}\n\n`);
}
