/** Tokens of workers: each names one attempt and proves it, so that none need be kept and all survive a restart. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readIssueId } from '../../core/model/ids.ts';
import { readMode } from '../../domain/mode.ts';
import type { WorkerIdentity } from '../daemon.ts';

export interface WorkerTokens {
  tokenFor(who: WorkerIdentity): string;
  /** Undefined where it is none of ours. */
  read(token: string): WorkerIdentity | undefined;
}

const PREFIX = 'lw1';
/** Longer than any token of ours: what is longer is not even hashed. */
const LONGEST = 1_000;

/** `secret` is 256 random bits of the legion's own; whoever has it can speak for every worker. */
export function workerTokens(secret: string): WorkerTokens {
  const seal = (name: string) => createHmac('sha256', secret).update(`${PREFIX}.${name}`).digest('base64url');
  return {
    tokenFor({ issue, mode, attempt }) {
      const name = Buffer.from(JSON.stringify([issue, mode, attempt])).toString('base64url');
      return `${PREFIX}.${name}.${seal(name)}`;
    },
    read(token) {
      const [prefix, name, given, ...more] = token.slice(0, LONGEST + 1).split('.');
      const malformed = prefix !== PREFIX || name === undefined || given === undefined || more.length > 0;
      if (malformed || token.length > LONGEST) return undefined;
      return isSame(given, seal(name)) ? identityIn(name) : undefined;
    },
  };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Only ever called with what this legion has sealed; read with care all the same. */
function identityIn(name: string): WorkerIdentity | undefined {
  const parts: unknown = JSON.parse(Buffer.from(name, 'base64url').toString());
  if (!Array.isArray(parts)) return undefined;
  const issue = readIssueId(String(parts[0]));
  const mode = readMode(String(parts[1]));
  const attempt = Number(parts[2]);
  return issue.ok && mode !== undefined && Number.isSafeInteger(attempt)
    ? { issue: issue.value, mode, attempt }
    : undefined;
}
