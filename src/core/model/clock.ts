/** The clock port. Production reads the machine's clock; the simulator advances a number. */

/**
 * Contract:
 *
 * - `now` is in milliseconds since 1970 and **may jump** either way when the machine's clock is
 *   set. Measure durations with `monotonic`, which never goes back but means nothing after a
 *   restart.
 * - `sleep` never resolves early. When `signal` aborts, it rejects at once and leaves no timer
 *   behind.
 */
export interface Clock {
  now(): number;
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
