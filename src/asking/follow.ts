/** Ends one thing when another is given up. */

/** Returns the way to stop following: a signal outlives most that follow it, and would keep them. */
export function follow(ending: AbortController, signal: AbortSignal | undefined): () => void {
  const end = () => ending.abort(signal?.reason);
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end, { once: true });
  return () => signal?.removeEventListener('abort', end);
}
