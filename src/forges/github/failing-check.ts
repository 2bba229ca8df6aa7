/** Finds the check that failed for a commit, and what it said last. */

import { LegionError } from '../../domain/fault.ts';
import { plainLine } from '../../domain/plain-text.ts';
import { cleanTail } from '../clean-text.ts';
import type { FailingCheck } from '../forge.ts';
import { SHA } from '../sha.ts';
import { type CheckAnswer, checksOfCommit } from './checks-of-commit.ts';
import { isRed } from './ci-status.ts';
import type { Desk } from './desk.ts';

/** Characters at the end of a log: the last screens of a test run, and little against a prompt. */
const TAIL_CHARS = 8_000;

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

async function firstRed(desk: Desk, sha: string, signal: AbortSignal): Promise<CheckAnswer | undefined> {
  for await (const check of checksOfCommit(desk, sha, signal)) if (isRed(check)) return check;
  return undefined;
}

/** Only a job of GitHub Actions has a log here; it may be gone, or not for us. */
async function logOf(
  { client, repo, complain }: Desk,
  { detailsUrl }: CheckAnswer,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [, job] = /\/actions\/runs\/\d+\/job\/(\d+)/.exec(detailsUrl ?? '') ?? [];
  if (job === undefined) return undefined;
  const parameters = { owner: repo.owner, repo: repo.name, job_id: Number(job) };
  try {
    const route = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
    const { data } = await client.rest<unknown>(route, parameters, { signal });
    return typeof data === 'string' && data.trim() !== '' ? withoutTimes(data) : undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof LegionError)) throw error;
    complain(error);
    return undefined;
  }
}

/** Each line of such a log begins with its time, which helps nobody who reads its end. Only the end is looked at. */
function withoutTimes(log: string): string {
  return log.slice(-8 * TAIL_CHARS).replace(/^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /gm, '');
}

/** What the check itself has published, in the order of its page. */
function wordsOf({ title, summary, text, description, targetUrl, conclusion, state }: CheckAnswer): string {
  const said = [title, summary, text, description, targetUrl].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  return said.length > 0
    ? said.join('\n\n')
    : `It ended with ${conclusion ?? state ?? 'a failure'}, without a word.`;
}
