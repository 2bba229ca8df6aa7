/** Finds the check that failed for a commit, and what it said last. */

import type { Page } from '../../asking/pages.ts';
import { LegionError } from '../../domain/fault.ts';
import { plainLine } from '../../domain/plain-text.ts';
import { cleanTail } from '../clean-text.ts';
import type { FailingCheck } from '../forge.ts';
import { SHA } from '../sha.ts';
import { askRepository } from './ask-one.ts';
import { isRed } from './ci-status.ts';
import type { Desk } from './desk.ts';
import { CHECKS_OF_COMMIT } from './read-documents.ts';

/** Characters at the end of a log: the last screens of a test run, and little against a prompt. */
const TAIL_CHARS = 8_000;

interface CheckAnswer {
  readonly __typename: string;
  readonly databaseId?: number | null;
  readonly name?: string;
  readonly conclusion?: string | null;
  readonly detailsUrl?: string | null;
  readonly title?: string | null;
  readonly summary?: string | null;
  readonly text?: string | null;
  readonly context?: string;
  readonly state?: string;
  readonly description?: string | null;
  readonly targetUrl?: string | null;
}

interface Answer {
  readonly object: {
    readonly statusCheckRollup?: { readonly contexts: Page<CheckAnswer | null> } | null;
  } | null;
}

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

async function firstRed(
  desk: Desk,
  sha: string,
  signal: AbortSignal,
  after: string | null = null,
): Promise<CheckAnswer | undefined> {
  const { object } = await askRepository<Answer>(desk, CHECKS_OF_COMMIT, { sha, after }, signal);
  const contexts = object?.statusCheckRollup?.contexts;
  const red = contexts?.nodes.find((each) => each !== null && isRed(each));
  if (red !== undefined && red !== null) return red;
  return contexts?.pageInfo.hasNextPage === true
    ? firstRed(desk, sha, signal, contexts.pageInfo.endCursor)
    : undefined;
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
