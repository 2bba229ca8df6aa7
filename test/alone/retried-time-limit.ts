/**
 * Retries tests of time limits, because a shared machine may be slow at times. If a limit is really
 * violated, every attempt fails.
 */
export const RETRIED_TIME_LIMIT = { retry: 2 };
