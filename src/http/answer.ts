/** What goes back over the wire, before anything of the web server knows of it. */

/** Complete in memory. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * On every answer: a browser guesses no other type, nothing keeps what may be secret, and no page of another origin can
 * embed it. There is no CORS header anywhere, so no such page can read it either. Opened as a page, it could do nothing.
 */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return textAnswer(status, 'application/json; charset=utf-8', JSON.stringify(value), headers);
}

export function textAnswer(
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { ...SAFE_HEADERS, 'content-type': type, ...headers }, body };
}
