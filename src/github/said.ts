/** What GitHub, or somebody on the way to it, said, as a message may show it: on one line, short, and without secrets. */

/** A sentence or two; a proxy's page or a query quoted back may be long. */
const SAID_MAX_CHARS = 300;

/** Shapes of GitHub's tokens, of signed App tokens and of private keys; over-eager on purpose. */
const SECRET_SHAPES: readonly RegExp[] = [
  /(?:gh[a-z]_|github_pat_)\w{8,}/g,
  /eyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g,
  /-----BEGIN[^-]*PRIVATE KEY-----.*?(?:-----END[^-]*-----|$)/gs,
  /\b(?:bearer|token|basic)\s+[\w.~+/=-]{16,}/gi,
];

/** `secrets` are those of this very request: only they can come back in its answer, in whatever shape they have. */
export function said(text: string, secrets: readonly string[] = []): string {
  let shown = text;
  for (const secret of secrets) if (secret !== '') shown = shown.replaceAll(secret, '***');
  // Hidden before it is cut, so that no half of a secret stays.
  for (const shape of SECRET_SHAPES) shown = shown.replace(shape, '***');
  const line = shown.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > SAID_MAX_CHARS ? `${line.slice(0, SAID_MAX_CHARS)}…` : line;
}
