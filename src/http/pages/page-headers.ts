/** What goes with everything of the dashboard: it runs its own files and nothing else, and nobody can put it into a frame. */
import { SAFE_HEADERS } from '../answer.ts';

/** No inline script and no inline style: text of strangers that became markup by a mistake could still do nothing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...SAFE_HEADERS,
  'content-security-policy': POLICY,
  // A window that opened it, or that it opens, cannot reach into it.
  'cross-origin-opener-policy': 'same-origin',
};
