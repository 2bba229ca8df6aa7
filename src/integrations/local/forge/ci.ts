/** Runs the repository's CI once for each commit somebody asks about, a few at a time, and remembers what it said. */

import type { CiStatus } from '../../../core/model/pull-request.ts';
import type { Clock } from '../../../domain/clock.ts';
import { translated } from '../../../forges/faults.ts';
import type { CiOutcome, CiResult, CiResults } from '../../../forges/local/ci-results.ts';
import { tryFileLock } from '../../../lib/process/file-lock.ts';
import type { Checkouts } from './checkout.ts';

/** Runs the repository's command in a checkout; ends when `signal` aborts, and never rejects for red tests. */
export type RunCi = (checkout: string, sha: string, signal: AbortSignal) => Promise<CiOutcome>;

export interface CiOptions {
  readonly run: RunCi;
  /** Whether there is a command to run now: it may come and go with the base branch, and with the operator's approval. */
  readonly isConfigured?: () => boolean;
  readonly atOnce?: number;
  readonly limitMs?: number;
  readonly retryAfterMs?: number;
}

/** CI of one commit usually uses more than one core already. */
const CI_AT_ONCE = 2;

/** The runner has a limit of its own; this one only frees the place of a runner that broke its promise. */
const CI_LIMIT_MS = 60 * 60_000;

/** A missing command or a full disk is seldom mended within a minute; five waste little of the hour an issue may wait. */
const CI_RETRY_AFTER_MS = 5 * 60_000;

export interface Ci {
  /** What is known about this commit; where nothing is, CI is started. */
  status(branch: string, sha: string): Promise<CiStatus>;
  /** What is known about this commit, without starting anything. */
  known(sha: string): Promise<CiResult | undefined>;
  /** Runs now, or waits for its turn. */
  isPending(sha: string): boolean;
  start(branch: string, sha: string): void;
  /** Aborts what runs and waits until it has ended, or for the grace of a run. */
  close(): Promise<void>;
}

export interface CiParts {
  readonly options: CiOptions | undefined;
  readonly results: CiResults;
  readonly checkouts: Checkouts;
  readonly clock: Clock;
  readonly tell: (branch: string) => void;
  readonly complain: (error: unknown) => void;
}

export function ci({ options, results, checkouts, clock, tell, complain }: CiParts): Ci {
  /** By branch, in order: a newer commit takes the place of one that was not looked at yet. */
  const queue = new Map<string, string>();
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();

  function start(branch: string, sha: string): void {
    if (options === undefined || !hasCommand(options) || closing.signal.aborted || running.has(sha)) return;
    queue.set(branch, sha);
    pump(options);
  }

  function pump(given: CiOptions): void {
    for (const [branch, sha] of queue) {
      if (running.size >= (given.atOnce ?? CI_AT_ONCE) || closing.signal.aborted) return;
      queue.delete(branch);
      if (running.has(sha)) continue;
      const run = once(given, sha)
        .catch(complain)
        .then(() => {
          running.delete(sha);
          tell(branch);
          pump(given);
        });
      running.set(sha, run);
    }
  }

  /** Another process that runs the same commit is left to it: its result is found by the next look. */
  async function once(given: CiOptions, sha: string): Promise<void> {
    const path = results.claim(sha);
    const claim = await translated(path, () => tryFileLock(path));
    if (claim === undefined) return;
    try {
      if (!isDue(await results.read(sha), given)) return;
      const limitMs = given.limitMs ?? CI_LIMIT_MS;
      const outcome = await runWithin(limitMs, clock, closing.signal, (signal) =>
        checkouts.lend(
          sha,
          (folder) => {
            signal.throwIfAborted(); // a runner may only listen for what is still to come
            return given.run(folder, sha, signal);
          },
          signal,
        ),
      );
      if (!closing.signal.aborted) await results.write(sha, outcome, clock.now());
    } finally {
      await claim.release();
    }
  }

  /** A result from the future is one from before the clock was set back. */
  function isDue(result: CiResult | undefined, { retryAfterMs = CI_RETRY_AFTER_MS }: CiOptions): boolean {
    if (result === undefined) return true;
    const age = clock.now() - result.at;
    return result.verdict === 'could_not_run' && (age < 0 || age >= retryAfterMs);
  }

  return {
    start,
    known: (sha) => results.read(sha),
    isPending: (sha) => running.has(sha) || [...queue.values()].includes(sha),
    async status(branch, sha) {
      if (options === undefined || !hasCommand(options)) return 'none';
      if (running.has(sha)) return 'pending';
      const result = await results.read(sha);
      if (result !== undefined && !isDue(result, options)) return ciStatus(result);
      start(branch, sha);
      return 'pending';
    },
    async close() {
      closing.abort();
      queue.clear();
      await Promise.all(running.values());
    },
  };
}

function hasCommand({ isConfigured }: CiOptions): boolean {
  return isConfigured?.() ?? true;
}

export function ciStatus({ verdict }: CiResult): CiStatus {
  if (verdict === 'could_not_run') return 'unknown';
  return verdict === 'passed' ? 'passing' : 'failing';
}

/** How long a runner that was told to stop may take: it has processes to end. */
const CI_GRACE_MS = 15_000;

/** Whatever goes wrong around the command is no verdict on the code. */
async function runWithin(
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
