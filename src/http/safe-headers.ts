/** Headers of every response, so that no browser guesses, keeps, frames or shares what the daemon sends. */
import type { MiddlewareHandler } from 'hono';

/** There is no CORS header: no page of another origin can read a response, and none can embed it. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Sets the headers after every other handler, so that none of them overrides one. */
export const setSafeHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  for (const [name, value] of Object.entries(SAFE_HEADERS)) c.res.headers.set(name, value);
};
