/** What every benchmark is: a name to ask for it by, a deadline, and the work that yields its figures. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measurement } from './measurement.ts';

export interface BenchContext {
  /** Fewer rounds and smaller fleets: shows that the benchmark works, at the price of noisier figures. */
  readonly short: boolean;
  /** Fires when the deadline has passed or the operator interrupts. */
  readonly signal: AbortSignal;
  /** Tells the operator which step has begun. */
  progress(step: string): void;
}

export interface Bench {
  readonly name: string;
  readonly description: string;
  /** Several times what the full form takes on an idle machine with two cores. */
  readonly deadlineMs: number;
  run(context: BenchContext): Promise<Measurement[]>;
}

interface WaitOptions {
  /** Completes "Timed out after 60 s waiting for …". */
  readonly what: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Often enough not to blur figures of some hundred milliseconds, seldom enough to cost nothing. */
const POLL_MS = 20;

/** Polls until the condition holds; rejects at the deadline and when the benchmark is aborted. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  options: WaitOptions,
): Promise<void> {
  await withDeadline(async (signal) => {
    while (!(await condition())) await sleep(POLL_MS, undefined, { signal });
  }, options);
}

/** Rejects with what was being waited for, even if the work ignores its signal. */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { what, deadlineMs, signal }: WaitOptions,
): Promise<T> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const either = AbortSignal.any([signal, deadline]);
  try {
    return await Promise.race([work(either), rejectOnAbort(either)]);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.aborted)
      throw new Error(`Timed out after ${deadlineMs / 1_000} s waiting for ${what}.`, { cause: error });
    throw error;
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
