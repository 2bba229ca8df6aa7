/** Lists every check of a commit with its result and what it published about it. */
import { plainLine } from '../../domain/plain-text.ts';
import { checkStatus } from '../../integrations/github/forge/ci-status.ts';
import type { ForgeCheck } from '../../ports/forge.ts';
import { cleanTail } from '../clean-text.ts';
import { SHA } from '../sha.ts';
import { type CheckRecord, checksOfCommit } from './checks-of-commit.ts';
import type { Desk } from './desk.ts';

/** Characters of a summary: a check's own page has the rest. */
const SUMMARY_CHARS = 4_000;

/** A commit with more than this many checks has them listed as far as they go. */
const MAX_CHECKS = 500;

export async function listChecks(
  desk: Desk,
  sha: string,
  signal: AbortSignal,
): Promise<readonly ForgeCheck[]> {
  if (!SHA.test(sha)) return [];
  const checks: ForgeCheck[] = [];
  for await (const answer of checksOfCommit(desk, sha, signal)) {
    checks.push(toCheck(answer));
    if (checks.length === MAX_CHECKS) break;
  }
  return checks;
}

function toCheck(answer: CheckRecord): ForgeCheck {
  const { name, context, title, summary, text, description, detailsUrl, targetUrl } = answer;
  const said = [title, summary, text, description].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  const url = detailsUrl ?? targetUrl ?? '';
  return {
    name: plainLine(name ?? context ?? '') || 'check',
    status: checkStatus(answer),
    summary: said.length === 0 ? undefined : cleanTail(said.join('\n\n'), SUMMARY_CHARS),
    url: /^https?:\/\//.test(url) ? plainLine(url) : undefined,
  };
}
