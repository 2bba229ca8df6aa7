/** For what cannot be given up half-way. */

export const NEVER_ABORTED: AbortSignal = new AbortController().signal;
