/** One run of CI, which ends within its time even if the runner does not. */
import type { Clock } from '../../domain/clock.ts';
import type { CiOutcome } from './ci-results.ts';

/** How long a runner that was told to stop may take: it has processes to end. */
const CI_GRACE_MS = 15_000;

/** Whatever goes wrong around the command is no verdict on the code. */
export async function runWithin(
  limitMs: number,
  clock: Clock,
  closing: AbortSignal,
  run: (signal: AbortSignal) => Promise<CiOutcome>,
): Promise<CiOutcome> {
  const overdue = new AbortController();
  const ended = new AbortController();
  const stop = AbortSignal.any([closing, overdue.signal]);
  const limit = clock
    .sleep(limitMs, AbortSignal.any([closing, ended.signal]))
    .then(() => overdue.abort())
    .catch(() => {}); // it was closed, or ended in time
  const given = limit
    .then(() => clock.sleep(CI_GRACE_MS, ended.signal))
    .then(() => couldNotRun(`did not end within ${limitMs} ms, nor when it was told to`))
    .catch(() => couldNotRun('ended'));
  try {
    const outcome = await Promise.race([
      run(stop).catch((error: unknown) => couldNotRun(wordsOf(error))),
      given,
    ]);
    // Red because it was ended is not red.
    return stop.aborted && outcome.verdict === 'failed' ? { ...outcome, verdict: 'could_not_run' } : outcome;
  } finally {
    ended.abort();
  }
}

function couldNotRun(logTail: string): CiOutcome {
  return { verdict: 'could_not_run', name: 'ci', logTail };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
