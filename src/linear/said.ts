/** What Linear, or somebody on the way to it, said, as a message may show it: on one line, short, and without secrets. */

/** A sentence or two; a proxy's page or a document quoted back may be long. */
const SAID_MAX_CHARS = 300;

/** Shapes of Linear's keys and tokens, and of whatever else is sent in such a header; over-eager on purpose. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\blin_[a-z]+_\w{8,}/gi,
  /\b(?:bearer|token|basic)\s+[\w.~+/=-]{16,}/gi,
];

/** `secret` is that of this very request: only it can come back in the answer, in whatever shape it has. */
export function said(text: string, secret: string): string {
  let shown = secret === '' ? text : text.replaceAll(secret, '***');
  // Hidden before it is cut, so that no half of a secret stays.
  for (const shape of SECRET_SHAPES) shown = shown.replace(shape, '***');
  const line = shown.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > SAID_MAX_CHARS ? `${line.slice(0, SAID_MAX_CHARS)}…` : line;
}
