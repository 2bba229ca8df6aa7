/** `npm run chaos`: kills the real daemon, its workers and its runners by schedule, and looks on from outside. */
import { type Order, readOrder, USAGE } from './arguments.ts';
import { run } from './harness.ts';
import { asJson, asTable } from './report.ts';
import { verdicts } from './verdict.ts';

/** The lives of fifty issues take two minutes; on a busy machine many times that. */
const LIVES_MS = 20 * 60_000;
/** A kill, the start after it and the pause before the next take two seconds; on a busy machine five. */
const KILL_MS = 10_000;
const INTERRUPTED = 130;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let order: Order;
  try {
    order = readOrder(args);
  } catch (error) {
    process.stderr.write(`chaos: ${(error as Error).message}\n${USAGE}\n`);
    return 2;
  }
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interrupted.abort(new Error(`${name} came`)));
  }
  const limit = AbortSignal.timeout(LIVES_MS + order.kills * KILL_MS);
  return await chaos(order, AbortSignal.any([interrupted.signal, limit]), interrupted.signal);
}

async function chaos(order: Order, signal: AbortSignal, interrupted: AbortSignal): Promise<number> {
  process.stderr.write(`chaos: --kills ${order.kills} --seed ${order.seed} --issues ${order.issues}\n`);
  const ran = await run(order, signal, (text) => void process.stderr.write(`${text}\n`));
  if (interrupted.aborted) {
    await ran.dispose();
    process.stderr.write('chaos: interrupted; what it had started is gone\n');
    return INTERRUPTED;
  }
  const judged = verdicts(ran.seen);
  process.stdout.write(`${order.json ? asJson(order, ran, judged) : asTable(order, ran, judged)}\n`);
  const isKept = judged.every(({ wrong }) => wrong.length === 0);
  if (isKept) await ran.dispose();
  else process.stderr.write(`chaos: what is left of it: ${ran.folder}\n`);
  return isKept ? 0 : 1;
}
