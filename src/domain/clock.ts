/** The port to time: production reads the machine, the simulator a number it advances itself. */

/**
 * Contract:
 *
 * - `now` is milliseconds since 1970 and **may jump** either way when someone sets the machine's clock; durations that
 *   matter are taken from `monotonic`, which never goes back but means nothing after a restart.
 * - `sleep` resolves no earlier than asked. When `signal` aborts, it rejects at once and leaves no timer behind.
 */
export interface Clock {
  now(): number;
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
