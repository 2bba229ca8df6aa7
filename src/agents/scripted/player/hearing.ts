/** Whether the process hears that it is asked to end: an agent may become deaf to that. */

export interface Hearing {
  readonly signal: AbortSignal;
  /** From now on nothing less than SIGKILL ends the process. */
  deafen(): void;
  forget(): void;
}

export function listen(asked: AbortSignal): Hearing {
  const controller = new AbortController();
  const onAbort = () => controller.abort(asked.reason);
  // Somebody who listens keeps the default, which is to die, from happening.
  const nothing = () => undefined;
  asked.addEventListener('abort', onAbort, { once: true });
  if (asked.aborted) onAbort();
  return {
    signal: controller.signal,
    deafen: () => {
      asked.removeEventListener('abort', onAbort);
      process.on('SIGTERM', nothing);
    },
    forget: () => {
      asked.removeEventListener('abort', onAbort);
      process.off('SIGTERM', nothing);
    },
  };
}
