/**
 * Defines a benchmark: its name for the command line, its deadline, and a function that returns its
 * figures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measurement } from './measurement.ts';

export interface BenchContext {
  /**
   * Whether to run fewer rounds with fewer workers. A short run shows that the benchmark works, but
   * its figures are noisier.
   */
  readonly short: boolean;
  /** Fires when the deadline has passed or the operator interrupts. */
  readonly signal: AbortSignal;
  /** Reports to the operator which step has started. */
  progress(step: string): void;
}

export interface Bench {
  readonly name: string;
  readonly description: string;
  /** Set to several times the duration of a full run on an idle machine with two cores. */
  readonly deadlineMs: number;
  run(context: BenchContext): Promise<Measurement[]>;
}

interface WaitOptions {
  /** Completes "Timed out after 60 s waiting for …". */
  readonly what: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Short enough not to distort figures of a few hundred ms, long enough to cost nothing. */
const POLL_MS = 20;

/** Polls until the condition is true. Rejects at the deadline, or when the benchmark is aborted. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  options: WaitOptions,
): Promise<void> {
  await withDeadline(async (signal) => {
    while (!(await condition())) await sleep(POLL_MS, undefined, { signal });
  }, options);
}

/**
 * Rejects at the deadline, even if the work ignores its signal. The error names the awaited
 * condition.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { what, deadlineMs, signal }: WaitOptions,
): Promise<T> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const either = AbortSignal.any([signal, deadline]);
  try {
    return await Promise.race([work(either), waitForAbort(either)]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.aborted)
      throw new Error(`Timed out after ${deadlineMs / 1_000} s waiting for ${what}.`, { cause: error });
    throw error;
  }
}

function waitForAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
