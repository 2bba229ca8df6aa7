/** Hides likely secrets in text from outside. The patterns are deliberately greedy. */

const TOKEN_SHAPES: readonly RegExp[] = [
  // A private key, complete or truncated.
  /-----BEGIN[^-]*PRIVATE KEY-----(?:\s*[\w+/=]{16,})*(?:\s*[\w+/=]*\s*-----END[^-]*-----)?/g,
  // Tokens of GitHub and GitLab, and JWTs of GitHub Apps.
  /(?:gh[a-z]_|github_pat_|glpat-)[\w-]{8,}/g,
  /eyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g,
  // Linear.
  /\blin_[a-z]+_\w{8,}/gi,
  // Keys and tokens of Anthropic and OpenAI, Slack, AWS, Google.
  /\bsk-[\w-]{16,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  // Authentication headers.
  /\b(?:bearer|token|basic)\s+[\w.~+/=-]{16,}/gi,
];

/** Values that are marked as secret by a name or by their position in a URL. */
const NAMED_SECRETS: readonly RegExp[] = [
  /(?<=(?:api[_-]?key|access[_-]?key|secret|password|passwd|token|credentials?)["']?\s*[=:]\s*["']?)[^\s"',;[]{6,}/gi,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]+(?=@)/g,
];

/** Hides tokens and keys by their shape. */
export function redactTokens(text: string, mark = '***'): string {
  return TOKEN_SHAPES.reduce((redacted, shape) => redacted.replace(shape, mark), text);
}

/** Hides tokens and also values that a name marks as secret, for output that strangers may read. */
export function redactSecrets(text: string): string {
  const mark = '[redacted]';
  return NAMED_SECRETS.reduce((redacted, shape) => redacted.replace(shape, mark), redactTokens(text, mark));
}

/** About a sentence or two, because a proxy's page or a quoted query may be long. */
const MAX_QUOTE_CHARS = 300;

/**
 * Quotes a service's response on one short line. `secrets` are the secrets sent with this request.
 * The response can contain only these secrets, but in any form.
 */
export function quoteAnswer(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) if (secret !== '') redacted = redacted.replaceAll(secret, '***');
  // Redacts before truncating, so that no partial secret remains.
  const line = redactTokens(redacted)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_QUOTE_CHARS ? `${line.slice(0, MAX_QUOTE_CHARS)}…` : line;
}
