/** Turns the first signal that asks the process to end into an abort; a second one ends it as if nobody listened. */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  readonly signal: AbortSignal;
  /** What a shell shows for a process that was ended by this signal; undefined where none came. */
  exitCode(): number | undefined;
  /** Nobody reads what is written any more: the same as a signal, but nobody asked for it. */
  outputClosed(): void;
  forget(): void;
}

export function listenForSignals(): Interruption {
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
    outputClosed: () => {
      exitCode ??= 128 + constants.signals.SIGPIPE;
      controller.abort();
    },
    forget,
  };
}

/** What waiting functions reject with once the signal is aborted. */
export function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError');
}
