/** Finds the check that failed for a commit, and what it said last. */

import { LegionError } from '../../core/model/fault.ts';
import { plainLine } from '../../domain/plain-text.ts';
import { isRed } from '../../integrations/github/forge/ci-status.ts';
import type { FailingCheck } from '../../ports/forge.ts';
import { cleanTail } from '../clean-text.ts';
import { SHA } from '../sha.ts';
import { readJobLog, TAIL_CHARS } from './check-log.ts';
import { type CheckRecord, checksOfCommit } from './checks-of-commit.ts';
import type { Desk } from './desk.ts';

export async function failingCheck(
  desk: Desk,
  sha: string,
  signal: AbortSignal,
): Promise<FailingCheck | undefined> {
  if (!SHA.test(sha)) return undefined;
  const check = await firstRed(desk, sha, signal);
  if (check === undefined) return undefined;
  const said = (await logOf(desk, check, signal)) ?? wordsOf(check);
  return {
    name: plainLine(check.name ?? check.context ?? '') || 'check',
    logTail: cleanTail(said, TAIL_CHARS),
  };
}

async function firstRed(desk: Desk, sha: string, signal: AbortSignal): Promise<CheckRecord | undefined> {
  for await (const check of checksOfCommit(desk, sha, signal)) if (isRed(check)) return check;
  return undefined;
}

/** A log may be gone, or not for us: what the check has published is told instead. */
async function logOf(
  desk: Desk,
  { detailsUrl }: CheckRecord,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await readJobLog(desk, detailsUrl ?? undefined, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof LegionError)) throw error;
    desk.complain(error);
    return undefined;
  }
}

/** What the check itself has published, in the order of its page. */
function wordsOf({ title, summary, text, description, targetUrl, conclusion, state }: CheckRecord): string {
  const said = [title, summary, text, description, targetUrl].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  return said.length > 0
    ? said.join('\n\n')
    : `It ended with ${conclusion ?? state ?? 'a failure'}, without a word.`;
}
