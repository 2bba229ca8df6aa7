/**
 * Runs the repository's CI command once per requested commit, a few commits at a time, stores the
 * result and reports it as a check.
 */

import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../core/model/clock.ts';
import type { CiStatus } from '../../../core/model/pull-request.ts';
import { writeDurably } from '../../../lib/fs/atomic-write.ts';
import { readJsonFile } from '../../../lib/fs/read-bounded.ts';
import { tryFileLock } from '../../../lib/process/file-lock.ts';
import type { CheckLog, ForgeCheck } from '../../../ports/forge.ts';
import { sanitizeTail } from '../../forge-support/clean-text.ts';
import { withForgeFaults } from '../../forge-support/errors.ts';
import type { CiCheckouts } from './checkout.ts';
import type { CiOutcome, CiResult, CiRunner } from './context.ts';

/**
 * Runs the repository's command in a checkout. Ends when `signal` aborts. Failing tests are a
 * result, not a rejection.
 */
export type RunCi = (checkout: string, sha: string, signal: AbortSignal) => Promise<CiOutcome>;

export interface CiOptions {
  readonly run: RunCi;
  /**
   * Returns whether a command is currently configured. This may change with the base branch and the
   * operator's approval.
   */
  readonly isConfigured?: () => boolean;
  readonly atOnce?: number;
  readonly limitMs?: number;
  readonly retryAfterMs?: number;
}

/** Number of concurrent CI runs. The CI of one commit usually uses more than one core. */
const CI_AT_ONCE = 2;

/**
 * The runner has its own time limit. This limit only frees the slot of a runner that exceeds its
 * own.
 */
const CI_LIMIT_MS = 60 * 60_000;

/**
 * Delay before CI is retried after it could not run. A missing command or a full disk is rarely
 * fixed within a minute, and waiting five minutes wastes little of the hour that an issue may wait.
 */
const CI_RETRY_AFTER_MS = 5 * 60_000;

export interface CiRunnerOptions {
  readonly options: CiOptions | undefined;
  readonly results: CiResults;
  readonly checkouts: CiCheckouts;
  readonly clock: Clock;
  readonly onChange: (branch: string) => void;
  readonly reportProblem: (error: unknown) => void;
}

export function createCiRunner({
  options,
  results,
  checkouts,
  clock,
  onChange,
  reportProblem,
}: CiRunnerOptions): CiRunner {
  /** Queued commits by branch, in order. A newer commit replaces the queued one of its branch. */
  const queue = new Map<string, string>();
  const running = new Map<string, Promise<void>>();
  const closing = new AbortController();

  function start(branch: string, sha: string): void {
    if (options === undefined || !hasCommand(options) || closing.signal.aborted || running.has(sha)) return;
    queue.set(branch, sha);
    startQueued(options);
  }

  function startQueued(config: CiOptions): void {
    for (const [branch, sha] of queue) {
      if (running.size >= (config.atOnce ?? CI_AT_ONCE) || closing.signal.aborted) return;
      queue.delete(branch);
      if (running.has(sha)) continue;
      const run = runOnce(config, sha)
        .catch(reportProblem)
        .then(() => {
          running.delete(sha);
          onChange(branch);
          startQueued(config);
        });
      running.set(sha, run);
    }
  }

  /** Skips a commit for which another process is running CI: the next pass finds the result. */
  async function runOnce(config: CiOptions, sha: string): Promise<void> {
    const path = results.claim(sha);
    const claim = await withForgeFaults(path, () => tryFileLock(path));
    if (claim === undefined) return;
    try {
      const previous = await results.read(sha);
      if (!isDue(previous, config)) return;
      const limitMs = config.limitMs ?? CI_LIMIT_MS;
      const outcome = await runWithin(limitMs, clock, closing.signal, (signal) =>
        checkouts.withCheckout(
          sha,
          (folder) => {
            signal.throwIfAborted(); // a runner may listen only for future aborts
            return config.run(folder, sha, signal);
          },
          signal,
        ),
      );
      if (!closing.signal.aborted) await results.write(sha, outcome, clock.now(), previous);
    } finally {
      await claim.release();
    }
  }

  /**
   * Returns whether CI should run. If a result has a time in the future, the clock was set back
   * after it was stored. If that result is "could not run", CI runs again.
   */
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
      if (result !== undefined && !isDue(result, options)) return toCiStatus(result);
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

/** If CI could not run, its status is unknown at first, because CI is retried automatically. */
export function toCiStatus({ verdict, runs = 1, timedOut }: CiResult): CiStatus {
  if (verdict !== 'could_not_run') return verdict === 'passed' ? 'passing' : 'failing';
  if (runs < 2) return 'unknown';
  return timedOut === true ? 'timed_out' : 'interrupted';
}

/** Time allowed for a runner to stop, because it has to terminate its processes first. */
const CI_GRACE_MS = 15_000;

/** Runs CI within a time limit. Errors outside the command are not a verdict on the code. */
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
    .catch(() => {}); // the forge was closed, or CI ended in time
  const overdueOutcome = limit
    .then(() => clock.sleep(CI_GRACE_MS, ended.signal))
    .then(() => createCouldNotRunOutcome(`did not end within ${limitMs} ms and kept running after the abort`))
    .catch(() => createCouldNotRunOutcome('ended'));
  try {
    const outcome = await Promise.race([
      run(stop).catch((error: unknown) => createCouldNotRunOutcome(describeError(error))),
      overdueOutcome,
    ]);
    // If the run was aborted, a failure is not a verdict on the code.
    if (!stop.aborted || outcome.verdict === 'passed') return outcome;
    return { ...outcome, verdict: 'could_not_run', timedOut: overdue.signal.aborted };
  } finally {
    ended.abort();
  }
}

function createCouldNotRunOutcome(logTail: string): CiOutcome {
  return { verdict: 'could_not_run', name: 'ci', logTail };
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Used until the command has run, because its name is not known until then. */
const DEFAULT_CHECK_NAME = 'ci';

/** Lists the only check of a commit in the local forge, which is the repository's CI command. */
export async function listChecks(ci: CiRunner, sha: string): Promise<readonly ForgeCheck[]> {
  if (ci.isPending(sha)) return [{ name: DEFAULT_CHECK_NAME, status: 'pending' }];
  const result = await ci.known(sha);
  return result === undefined ? [] : [{ name: result.name, status: CHECK_STATUSES[result.verdict] }];
}

const CHECK_STATUSES: Readonly<Record<CiResult['verdict'], ForgeCheck['status']>> = {
  passed: 'passing',
  failed: 'failing',
  could_not_run: 'could_not_run',
};

/** Returns the end of the command's output. */
export async function readCheckLog(ci: CiRunner, sha: string): Promise<CheckLog> {
  if (ci.isPending(sha))
    return { missing: 'The check is still running. The log will be available once the check has ended.' };
  const result = await ci.known(sha);
  if (result === undefined) return { missing: 'No CI output is stored for this commit.' };
  const text = result.logTail.trimEnd();
  return text === '' ? { missing: 'The command printed nothing.' } : { text };
}

/**
 * Maximum length of the stored log, which leaves space for everything else in an implementer's
 * prompt.
 */
const LOG_TAIL_CHARACTERS = 16_384;

const NAME_CHARACTERS = 200;

const resultSchema = z.object({
  verdict: z.enum(['passed', 'failed', 'could_not_run']),
  name: z.string(),
  logTail: z.string(),
  at: z.number(),
  runs: z.int().positive().optional(),
  timedOut: z.boolean().optional(),
});

export interface CiResults {
  read(sha: string): Promise<CiResult | undefined>;
  /** `previous` is the result of the previous run, in which CI could not run either. */
  write(sha: string, outcome: CiOutcome, at: number, previous?: CiResult): Promise<void>;
  /** Returns the path of the lock file that is held by the process running CI for this commit. */
  claim(sha: string): string;
}

export function createCiResults(folder: string): CiResults {
  const getFile = (sha: string) => join(folder, `${sha}.json`);
  return {
    claim: (sha) => join(folder, `${sha}.running`),
    async read(sha) {
      return resultSchema.safeParse(readJsonFile(getFile(sha))).data;
    },
    write: (sha, { verdict, name, logTail, timedOut }, at, previous) => {
      const result = {
        verdict,
        name: sanitizeTail(name, NAME_CHARACTERS),
        logTail: sanitizeTail(logTail, LOG_TAIL_CHARACTERS),
        at,
        runs: previous === undefined ? 1 : (previous.runs ?? 1) + 1,
        timedOut,
      };
      const file = getFile(sha);
      return withForgeFaults(file, () => writeDurably(file, `${JSON.stringify(result)}\n`));
    },
  };
}
