/** `npm run sim`: tells so many stories on all cores, and of each that fails the shortest that fails in the same way. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs, styleText } from 'node:util';
import { Worker } from 'node:worker_threads';
import { aboutIt, shortest } from '../../src/sim/shortest.ts';
import { type Told, tellStory } from '../../src/sim/story.ts';
import type { Share } from './run-seeds.ts';

type Brief = Omit<Told, 'story'>;

const USAGE = 'npm run sim -- [--seeds N] [--from S] [--first] [--json]';
/** Stories of so many failures are told; the rest are named. */
const TOLD_MOST = 3;
const SHOWN_LINES = 80;

const given = options();
if (given === undefined) process.exitCode = 2;
else process.exitCode = (await run(given)) ? 0 : 1;

interface Options {
  readonly seeds: number;
  readonly from: number;
  /** Whether to stop at the first that fails. */
  readonly first: boolean;
  readonly json: boolean;
}

function options(): Options | undefined {
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
      throw new Error(`--seeds takes a whole number from 1, got ${values.seeds}`);
    if (!Number.isSafeInteger(from) || from < 0)
      throw new Error(`--from takes a whole number from 0, got ${values.from}`);
    return { seeds, from, first: values.first, json: values.json };
  } catch (error) {
    process.stderr.write(`sim: ${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    return undefined;
  }
}

async function run(wanted: Options): Promise<boolean> {
  const { seeds, from, json } = wanted;
  const begun = performance.now();
  const told = await tellAll(wanted);
  const durationMs = Math.round(performance.now() - begun);
  const failed = told.filter(({ ok }) => !ok);
  // One seed alone is told twice and must be the same.
  const unlike = seeds === 1 ? await unlikeItself(from, told[0]?.trace) : false;
  const trace = createHash('sha256')
    .update(told.map((each) => each.trace).join())
    .digest('hex');
  const events = told.reduce((sum, each) => sum + each.events, 0);
  const ok = failed.length === 0 && !unlike;
  if (json) {
    const summary = { ok, seeds, from, failed: failed.map(({ seed, broken }) => ({ seed, broken })), unlike };
    const troubles = tally(told);
    process.stdout.write(`${JSON.stringify({ ...summary, events, troubles, trace, durationMs })}\n`);
    return ok;
  }
  for (const { seed } of failed.slice(0, TOLD_MOST)) await tellWhy(seed);
  if (failed.length > 0) process.stdout.write(`failed: ${failed.map(({ seed }) => seed).join(' ')}\n`);
  if (unlike) process.stdout.write(styleText('red', `seed ${from} went another way the second time\n`));
  const verdict = ok ? styleText('green', 'hold') : styleText('red', `${failed.length} broken`);
  process.stdout.write(
    `${seeds} stories, ${events.toLocaleString('en')} events in ${(durationMs / 1_000).toFixed(1)} s: the promises ${verdict} (trace ${trace.slice(0, 12)})\n`,
  );
  return ok;
}

async function tellAll({ seeds, from, first, json }: Options): Promise<Brief[]> {
  const count = Math.min(availableParallelism(), seeds);
  const told: Brief[] = [];
  const share: Share = { from, seeds, begun: new Int32Array(new SharedArrayBuffer(4)) };
  const threads = Array.from(
    { length: count },
    () => new Worker(new URL('run-seeds.ts', import.meta.url), { workerData: share }),
  );
  const ended = threads.map((thread) => {
    thread.on('message', (each: Brief) => {
      told.push(each);
      if (!json && process.stderr.isTTY) process.stderr.write(`\r${told.length} of ${seeds} `);
      if (first && !each.ok) for (const other of threads) void other.terminate();
    });
    return new Promise<void>((resolve, reject) => thread.once('error', reject).once('exit', () => resolve()));
  });
  await Promise.all(ended);
  if (!json && process.stderr.isTTY) process.stderr.write('\r');
  return told.sort((one, other) => one.seed - other.seed);
}

/** How often each kind of trouble really came: what never comes tests nothing. */
function tally(told: readonly Brief[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const { troubles } of told) {
    for (const [kind, times] of Object.entries(troubles)) sums.set(kind, (sums.get(kind) ?? 0) + times);
  }
  return Object.fromEntries([...sums].sort(([one], [other]) => one.localeCompare(other)));
}

async function unlikeItself(seed: number, trace: string | undefined): Promise<boolean> {
  return (await tellStory(seed)).trace !== trace;
}

async function tellWhy(seed: number): Promise<void> {
  const { told, needs } = await shortest(seed);
  const lines = aboutIt(told).map((line) => line.slice(0, 240));
  const head = styleText('bold', `seed ${seed}: ${told.broken.join('; ')}`);
  process.stdout.write(`${head}\nit takes: ${needs.join(', ') || 'nothing'}\n`);
  if (lines.length > SHOWN_LINES) process.stdout.write(`… ${lines.length - SHOWN_LINES} lines before\n`);
  process.stdout.write(`${lines.slice(-SHOWN_LINES).join('\n')}\n\n`);
}
