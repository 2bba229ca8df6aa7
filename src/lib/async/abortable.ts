/** Lets one waiter abandon a shared promise without affecting the others. */

export function withAbortSignal<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** A signal for work that must not be aborted halfway. */
export const NEVER_ABORTED: AbortSignal = new AbortController().signal;
