/**
 * Reads the checks of a commit, page by page, and the logs of failed ones. Also finds out whether a
 * repository has any checks, and which required ones are missing.
 */
import type { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { toPlainLine } from '../../../core/model/format.ts';
import { createCursorCheck } from '../../../lib/paginate.ts';
import { unwrap } from '../../../lib/result.ts';
import type { CheckLog, FailingCheck, ForgeCheck } from '../../../ports/forge.ts';
import { SHA, sanitizeTail } from '../../forge-support/clean-text.ts';
import { toBranchRef } from '../../forge-support/repository.ts';
import type { ChecksOfCommitQuery, FindChecksQuery, MoreChecksQuery } from '../generated/forge.ts';
import { checkAnswer, checksPage, type LightPullRequest, moreChecks } from './answer-schemas.ts';
import { hasTimedOut, isRed, toCheckStatus } from './ci-status.ts';
import type { GithubForgeContext } from './context.ts';
import { CHECKS_OF_COMMIT, MORE_CHECKS } from './documents.ts';
import { askRepository } from './read-one.ts';

type CheckRecord = z.output<typeof checkAnswer>;

/** Yields the checks lazily: requests the next page only after the previous one is consumed. */
async function* readCommitChecks(
  context: GithubForgeContext,
  sha: string,
  signal: AbortSignal,
): AsyncGenerator<CheckRecord> {
  let after: string | null = null;
  const checkCursor = createCursorCheck();
  for (;;) {
    const variables: { sha: string; after: string | null } = { sha, after };
    const { object } = await askRepository<ChecksOfCommitQuery>(context, CHECKS_OF_COMMIT, variables, signal);
    if ((object?.statusCheckRollup ?? null) === null) return;
    const { nodes, pageInfo } = unwrap(decode(checksPage, object?.statusCheckRollup?.contexts, 'checks'));
    for (const check of nodes ?? []) if (check !== null) yield readCheck(check);
    if (!pageInfo.hasNextPage) return;
    after = checkCursor(pageInfo.endCursor);
  }
}

/**
 * Decodes a check. A malformed one is reported as a check that could not run, with the decoding
 * error.
 */
function readCheck(raw: unknown): CheckRecord {
  const read = decode(checkAnswer, raw, 'check');
  return read.ok
    ? read.value
    : {
        __typename: 'StatusContext',
        context: 'malformed check',
        state: 'ERROR',
        description: read.fault.message,
      };
}

/** Maximum number of characters in a summary. The check's own page shows the rest. */
const SUMMARY_CHARS = 4_000;

/** Limits the list for commits with very many checks. */
const MAX_CHECKS = 500;

/** Lists every check of a commit with its result and published text. */
export async function listChecks(
  context: GithubForgeContext,
  sha: string,
  signal: AbortSignal,
): Promise<readonly ForgeCheck[]> {
  if (!SHA.test(sha)) return [];
  const checks: ForgeCheck[] = [];
  for await (const answer of readCommitChecks(context, sha, signal)) {
    checks.push(toCheck(answer));
    if (checks.length === MAX_CHECKS) break;
  }
  return checks;
}

function toCheck(answer: CheckRecord): ForgeCheck {
  const { name, context, title, summary, text, description, detailsUrl, targetUrl } = answer;
  const parts = [title, summary, text, description].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  const url = detailsUrl ?? targetUrl ?? '';
  return {
    name: toPlainLine(name ?? context ?? '') || 'check',
    status: toCheckStatus(answer),
    summary: parts.length === 0 ? undefined : sanitizeTail(parts.join('\n\n'), SUMMARY_CHARS),
    url: /^https?:\/\//.test(url) ? toPlainLine(url) : undefined,
  };
}

/**
 * Number of latest pull requests to inspect. Some services check only pull requests, so the base
 * alone would not show their checks.
 */
const PULL_REQUESTS = 5;

export const FIND_CHECKS = `query FindChecks($owner: String!, $name: String!, $ref: String!) {
  repository(owner: $owner, name: $name) {
    ref(qualifiedName: $ref) {
      refUpdateRule { requiredStatusCheckContexts }
      target { ... on Commit { statusCheckRollup { state } } }
    }
    pullRequests(last: ${PULL_REQUESTS}) {
      nodes { commits(last: 1) { nodes { commit { statusCheckRollup { state } } } } }
    }
  }
}`;

/** Finds out in one request whether anything checks the commits of a GitHub repository. */
export async function findChecks(context: GithubForgeContext, signal: AbortSignal): Promise<'some' | 'none'> {
  const variables = { ref: toBranchRef(context.base) };
  const { ref, pullRequests } = await askRepository<FindChecksQuery>(context, FIND_CHECKS, variables, signal);
  const required = ref?.refUpdateRule?.requiredStatusCheckContexts ?? [];
  const commits = (pullRequests.nodes ?? []).flatMap(
    (each) => each?.commits.nodes?.map((node) => node?.commit) ?? [],
  );
  const isChecked = [ref?.target, ...commits].some(
    (commit) => commit?.statusCheckRollup !== undefined && commit.statusCheckRollup !== null,
  );
  return required.length > 0 || isChecked ? 'some' : 'none';
}

type CheckContextsPage = Pick<
  NonNullable<LightPullRequest['statusCheckRollup']>['contexts'],
  'nodes' | 'pageInfo'
>;

/** Finds the required checks that a pull request's head does not have yet. */
export async function findMissingChecks(
  { client }: Pick<GithubForgeContext, 'client'>,
  required: readonly string[],
  { id, statusCheckRollup }: Pick<LightPullRequest, 'id' | 'statusCheckRollup'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const missing = new Set(required);
  const removeFound = ({ nodes }: CheckContextsPage) => {
    for (const each of nodes ?? []) missing.delete(each?.name ?? each?.context ?? '');
  };
  const checkCursor = createCursorCheck();
  let page: CheckContextsPage | undefined = statusCheckRollup?.contexts;
  while (page !== undefined) {
    removeFound(page);
    if (missing.size === 0 || !page.pageInfo.hasNextPage) break;
    const variables = { id, after: checkCursor(page.pageInfo.endCursor) };
    const { node } = await client.query<MoreChecksQuery>(MORE_CHECKS, variables, { signal });
    page = unwrap(decode(moreChecks, node, 'checks'))?.statusCheckRollup?.contexts;
  }
  return [...missing];
}

/**
 * Maximum number of characters from the end of a log. This covers the last screens of a test run
 * and is small compared with a prompt.
 */
const TAIL_CHARS = 8_000;

export async function readCheckLog(
  context: GithubForgeContext,
  { status, url }: ForgeCheck,
  signal: AbortSignal,
): Promise<CheckLog> {
  if (status === 'pending')
    return { missing: 'The check is still running. GitHub provides the log once the check has ended.' };
  try {
    const text = await readJobLog(context, url, signal);
    if (text !== undefined) return { text: text.trimEnd() };
    return { missing: 'GitHub has no log for this check. Open its link.' };
  } catch (error) {
    if (signal.aborted || !(error instanceof LegionError)) throw error;
    return { missing: describeRefusal(error) };
  }
}

/**
 * Returns the end of the log. Undefined if the address does not belong to a job or the log is
 * empty.
 */
async function readJobLog(
  { client, repo, jobLogs }: GithubForgeContext,
  address: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [, job] = /\/actions\/runs\/\d+\/job\/(\d+)/.exec(address ?? '') ?? [];
  if (job === undefined) return undefined;
  return jobLogs(job, async () => {
    const parameters = { owner: repo.owner, repo: repo.name, job_id: Number(job) };
    const route = 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
    const { data } = await client.rest<unknown>(route, parameters, { signal });
    if (typeof data !== 'string' || data.trim() === '') return undefined;
    return sanitizeTail(stripTimes(data), TAIL_CHARS);
  });
}

/** Removes the timestamp that begins each line. Processes only the end of the log. */
function stripTimes(log: string): string {
  return log.slice(-8 * TAIL_CHARS).replace(/^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /gm, '');
}

function describeRefusal({ code, message }: LegionError): string {
  if (code === 'github.missing') return 'GitHub no longer has the log. Open the link or rerun the job.';
  const hint = code === 'github.forbidden' ? ' Legion’s account needs permission to read Actions.' : '';
  return `The log could not be read: ${message}.${hint}`;
}

/** Finds the failing check of a commit and the end of its output. */
export async function findFailingCheck(
  context: GithubForgeContext,
  sha: string,
  signal: AbortSignal,
): Promise<FailingCheck | undefined> {
  if (!SHA.test(sha)) return undefined;
  const check = await findFailedOrTimedOut(context, sha, signal);
  if (check === undefined) return undefined;
  const text = (await readLogIfAllowed(context, check, signal)) ?? describeCheck(check);
  return {
    name: toPlainLine(check.name ?? check.context ?? '') || 'check',
    logTail: sanitizeTail(text, TAIL_CHARS),
  };
}

/** Prefers a check that failed to one that timed out, because its log says more. */
async function findFailedOrTimedOut(
  context: GithubForgeContext,
  sha: string,
  signal: AbortSignal,
): Promise<CheckRecord | undefined> {
  let timedOut: CheckRecord | undefined;
  for await (const check of readCommitChecks(context, sha, signal)) {
    if (isRed(check)) return check;
    if (hasTimedOut(check)) timedOut ??= check;
  }
  return timedOut;
}

/**
 * Returns undefined if the log is gone or the account does not have permission to read it. The
 * caller then uses the check's published text.
 */
async function readLogIfAllowed(
  context: GithubForgeContext,
  { detailsUrl }: CheckRecord,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await readJobLog(context, detailsUrl ?? undefined, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof LegionError)) throw error;
    context.reportProblem(error);
    return undefined;
  }
}

/** Joins the check's published texts in the order in which its page shows them. */
function describeCheck({
  title,
  summary,
  text,
  description,
  targetUrl,
  conclusion,
  state,
}: CheckRecord): string {
  const parts = [title, summary, text, description, targetUrl].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  return parts.length > 0
    ? parts.join('\n\n')
    : `It ended with ${conclusion ?? state ?? 'a failure'} and published no text.`;
}
