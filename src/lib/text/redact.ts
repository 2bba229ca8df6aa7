/** Hides what looks like a secret in text from outside. The shapes are over-eager on purpose. */

const TOKEN_SHAPES: readonly RegExp[] = [
  // A private key, whole or as far as it goes where its end was cut off.
  /-----BEGIN[^-]*PRIVATE KEY-----(?:\s*[\w+/=]{16,})*(?:\s*[\w+/=]*\s*-----END[^-]*-----)?/g,
  // GitHub, GitLab, signed tokens of GitHub Apps.
  /(?:gh[a-z]_|github_pat_|glpat-)[\w-]{8,}/g,
  /eyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g,
  // Linear.
  /\blin_[a-z]+_\w{8,}/gi,
  // Anthropic and OpenAI, Slack, AWS, Google.
  /\bsk-[\w-]{16,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  // Headers that authenticate.
  /\b(?:bearer|token|basic)\s+[\w.~+/=-]{16,}/gi,
];

/** The value where a name, or the address it is part of, says that it is secret. */
const NAMED_SECRETS: readonly RegExp[] = [
  /(?<=(?:api[_-]?key|access[_-]?key|secret|password|passwd|token|credentials?)["']?\s*[=:]\s*["']?)[^\s"',;[]{6,}/gi,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]+(?=@)/g,
];

/** Hides tokens and keys by their shape. */
export function redactTokens(text: string, mark = '***'): string {
  return TOKEN_SHAPES.reduce((shown, shape) => shown.replace(shape, mark), text);
}

/** Hides also whatever a name calls secret, for output that may be posted where strangers read. */
export function redactSecrets(text: string): string {
  const mark = '[redacted]';
  return NAMED_SECRETS.reduce((shown, shape) => shown.replace(shape, mark), redactTokens(text, mark));
}

/** A sentence or two; a proxy's page or a query quoted back may be long. */
const MAX_QUOTE_CHARS = 300;

/**
 * Quotes a service's answer on one short line for a message. `secrets` are those of this very request: only they can
 * come back in its answer, in whatever shape they have.
 */
export function quoteAnswer(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) if (secret !== '') shown = shown.replaceAll(secret, '***');
  // Redacted before it is cut, so that no half of a secret stays.
  const line = redactTokens(shown)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_QUOTE_CHARS ? `${line.slice(0, MAX_QUOTE_CHARS)}…` : line;
}
