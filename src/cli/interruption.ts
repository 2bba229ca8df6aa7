/**
 * Turns the first termination signal into an abort. A second signal ends the process, because the
 * first one removes the listeners.
 */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface ProcessInterruption {
  readonly signal: AbortSignal;
  /**
   * Returns the exit code that a shell would report for the received signal. Returns undefined if
   * no signal arrived.
   */
  exitCode(): number | undefined;
  /**
   * Aborts in the same way as a signal. Called when the program that reads stdout has closed it.
   */
  onOutputClosed(): void;
  forget(): void;
}

export function listenForSignals(): ProcessInterruption {
  const controller = new AbortController();
  let exitCode: number | undefined;

  const listeners = SIGNALS.map((name) => {
    const listener = () => {
      exitCode = 128 + constants.signals[name];
      forget();
      controller.abort();
    };
    process.on(name, listener);
    return { name, listener };
  });
  function forget(): void {
    for (const { name, listener } of listeners) process.off(name, listener);
  }

  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    onOutputClosed: () => {
      exitCode ??= 128 + constants.signals.SIGPIPE;
      controller.abort();
    },
    forget,
  };
}

/** Returns whether an error only reports that a wait was aborted. */
export function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError');
}
