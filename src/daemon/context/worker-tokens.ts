/**
 * Creates worker tokens. A signed token identifies one attempt, so that tokens need not be stored
 * and stay valid after a restart.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WorkerIdentity } from '../../core/model/ids.ts';
import { readIssueId } from '../../core/model/ids.ts';
import { readMode } from '../../core/model/mode.ts';

export interface WorkerTokens {
  createToken(who: WorkerIdentity): string;
  /** Returns undefined for an invalid token. */
  read(token: string): WorkerIdentity | undefined;
}

const PREFIX = 'lw1';
/**
 * Maximum length of a token that is checked. Valid tokens are shorter; longer input is not even
 * hashed.
 */
const MAX_TOKEN_CHARS = 1_000;

/** `secret` is the legion's 256-bit random key. Anyone who knows this key can act as any worker. */
export function createWorkerTokens(secret: string): WorkerTokens {
  const sign = (name: string) => createHmac('sha256', secret).update(`${PREFIX}.${name}`).digest('base64url');
  return {
    createToken({ issue, mode, attempt }) {
      const name = Buffer.from(JSON.stringify([issue, mode, attempt])).toString('base64url');
      return `${PREFIX}.${name}.${sign(name)}`;
    },
    read(token) {
      const [prefix, name, actual, ...more] = token.slice(0, MAX_TOKEN_CHARS + 1).split('.');
      const malformed = prefix !== PREFIX || name === undefined || actual === undefined || more.length > 0;
      if (malformed || token.length > MAX_TOKEN_CHARS) return undefined;
      return isSame(actual, sign(name)) ? parseIdentity(name) : undefined;
    },
  };
}

function isSame(actual: string, expected: string): boolean {
  const [one, other] = [Buffer.from(actual), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Validates the identity even though the token's signature has already been checked. */
function parseIdentity(name: string): WorkerIdentity | undefined {
  const parts: unknown = JSON.parse(Buffer.from(name, 'base64url').toString());
  if (!Array.isArray(parts)) return undefined;
  const issue = readIssueId(String(parts[0]));
  const mode = readMode(String(parts[1]));
  const attempt = Number(parts[2]);
  return issue.ok && mode !== undefined && Number.isSafeInteger(attempt)
    ? { issue: issue.value, mode, attempt }
    : undefined;
}
