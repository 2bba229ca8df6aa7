/**
 * `npm run chaos`: kills the real daemon, its workers and its runners by schedule, and observes the
 * effects from outside.
 */
import { type ChaosOptions, parseChaosOptions, USAGE } from './arguments.ts';
import { runChaos } from './harness.ts';
import { formatJsonReport, formatReportTable } from './report.ts';
import { judgePromises } from './verdict.ts';

/** Fifty issues take two minutes, or many times that on a busy machine. */
const ISSUES_MS = 20 * 60_000;
/**
 * A kill, the restart and the pause before the next kill take two seconds, or five on a busy
 * machine.
 */
const KILL_MS = 10_000;
const INTERRUPTED = 130;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let order: ChaosOptions;
  try {
    order = parseChaosOptions(args);
  } catch (error) {
    process.stderr.write(`chaos: ${(error as Error).message}\n${USAGE}\n`);
    return 2;
  }
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interrupted.abort(new Error(`${name} came`)));
  }
  const limit = AbortSignal.timeout(ISSUES_MS + order.kills * KILL_MS);
  return await runAndReport(order, AbortSignal.any([interrupted.signal, limit]), interrupted.signal);
}

async function runAndReport(
  order: ChaosOptions,
  signal: AbortSignal,
  interrupted: AbortSignal,
): Promise<number> {
  process.stderr.write(`chaos: --kills ${order.kills} --seed ${order.seed} --issues ${order.issues}\n`);
  const ran = await runChaos(order, signal, (text) => void process.stderr.write(`${text}\n`));
  if (interrupted.aborted) {
    await ran.dispose();
    process.stderr.write('chaos: interrupted; all of its processes have been stopped\n');
    return INTERRUPTED;
  }
  const judged = judgePromises(ran.seen);
  process.stdout.write(
    `${order.json ? formatJsonReport(order, ran, judged) : formatReportTable(order, ran, judged)}\n`,
  );
  const isKept = judged.every(({ wrong }) => wrong.length === 0);
  if (isKept) await ran.dispose();
  else process.stderr.write(`chaos: the remaining files are in ${ran.folder}\n`);
  return isKept ? 0 : 1;
}
