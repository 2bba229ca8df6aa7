/**
 * Reads a commit's checks, with the ends of their logs, for people and workers. The logs are
 * limited in length and contain no secrets.
 */
import { LegionError, quoteText } from '../../core/model/fault.ts';
import { toPlainLine, truncateText } from '../../core/model/format.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { CiStatus } from '../../core/model/pull-request.ts';
import type { Forge, ForgeCheck } from '../../ports/forge.ts';
import type { CheckView, FailingLog } from '../../protocol/ci.ts';
import type { DaemonContext } from '../context/daemon-context.ts';
import { quoteAsCode, redactOutput } from '../present/reason.ts';
import { readInTime } from './read-outside.ts';

export interface CheckQuery {
  /** If given, returns only checks with this name. */
  readonly check?: string | undefined;
  /** Number of lines per log. */
  readonly lines: number;
  /** Which checks include their log. All checks if absent. */
  readonly logsOf?: 'not_passing' | undefined;
}

/** Maximum number of logs to read. Each log costs a request on a hosted forge. */
const MAX_LOGS = 10;

/** Maximum number of check names in an error message, so that they fit on one screen. */
const MAX_NAMES = 20;

/** Sort order, in which checks that need attention come first. */
const ORDER: Readonly<Record<ForgeCheck['status'], number>> = {
  failing: 0,
  could_not_run: 1,
  pending: 2,
  passing: 3,
};

export async function readChecks(forge: Forge, sha: string, query: CheckQuery): Promise<CheckView[]> {
  return readInTime('forge.unavailable', async (signal) => {
    const all = await forge.checks(sha, signal);
    const checks = selectChecks(all, query.check, sha).toSorted((a, b) => ORDER[a.status] - ORDER[b.status]);
    const withLog = new Set(checks.filter((check) => shouldReadLog(check, query)).slice(0, MAX_LOGS));
    return Promise.all(
      checks.map(async (check) => ({
        ...check,
        summary: check.summary === undefined ? undefined : redactOutput(check.summary),
        ...(withLog.has(check)
          ? await readLog(forge, sha, check, query.lines, signal)
          : describeOmittedLog(check, query)),
      })),
    );
  });
}

function selectChecks(
  all: readonly ForgeCheck[],
  name: string | undefined,
  sha: string,
): readonly ForgeCheck[] {
  if (name === undefined) return all;
  const wanted = all.filter((check) => check.name === name);
  if (wanted.length > 0) return wanted;
  const names = [...new Set(all.map((check) => check.name))].slice(0, MAX_NAMES);
  const valid = names.length === 0 ? 'This commit has no checks.' : `Valid: ${names.join(', ')}.`;
  throw new LegionError(
    'forge.check_unknown',
    `No check ${quoteText(name)} at ${sha.slice(0, 12)}. ${valid}`,
  );
}

function shouldReadLog({ status }: ForgeCheck, { logsOf }: CheckQuery): boolean {
  return logsOf === undefined || status === 'failing' || status === 'could_not_run';
}

function describeOmittedLog(check: ForgeCheck, query: CheckQuery): Pick<CheckView, 'missing'> {
  if (!shouldReadLog(check, query)) return {};
  return { missing: `Only ${MAX_LOGS} logs are read at once. Request this check by name.` };
}

async function readLog(
  forge: Forge,
  sha: string,
  check: ForgeCheck,
  lines: number,
  signal: AbortSignal,
): Promise<Pick<CheckView, 'log' | 'missing'>> {
  const log = await forge.checkLog(sha, check, signal);
  return 'text' in log ? { log: takeLastLines(log.text, lines) } : { missing: redactOutput(log.missing) };
}

/** Redacts the text before cutting it, so that no part of a secret remains. */
function takeLastLines(text: string, lines: number): string {
  return redactOutput(text).trimEnd().split('\n').slice(-lines).join('\n');
}

/** One-sentence summaries of the CI status. */
export const CI_SUMMARIES: Readonly<Record<CiStatus, string>> = {
  passing: 'CI passes at the head of the pull request.',
  failing: 'CI fails at the head of the pull request.',
  timed_out: 'A CI check timed out or did not start; the change may be the cause.',
  interrupted: 'A CI check was cancelled, became stale or reached no verdict: run it again.',
  action_required: 'A CI check needs a person’s action.',
  pending: 'CI is still running.',
  none: 'No check is configured for this pull request.',
  unknown: 'The CI result is unknown: the forge could not be read, or CI runs again soon.',
};

/** Number of log lines that fit next to the other inbox items. */
const LINES = 15;
const MAX_CHARS = 3_000;
const MAX_NAME_CHARS = 100;

/**
 * Short, because a person is waiting for the inbox, and Legion's comment is not posted until the
 * read ends. If the read takes longer, the inbox item and the comment appear without the log.
 */
const READ_LIMIT_MS = 5_000;

/**
 * Retry interval for a log that could not be read, so that an open inbox does not use up the API
 * budget.
 */
const RETRY_MS = 60_000;

type FailingLogContext = Pick<DaemonContext, 'boardView' | 'repositories'>;

export type FailingLogs = (issue: IssueId) => Promise<FailingLog | undefined>;

/**
 * Reads the last lines of a failing CI log for the inbox and for Legion's comment. Returns
 * undefined if CI was not failing when last read, or if its log cannot be read at the moment.
 */
export async function readFailingLog(
  { boardView, repositories }: FailingLogContext,
  issue: IssueId,
): Promise<FailingLog | undefined> {
  const sha = findFailingHead({ boardView: boardView }, issue);
  if (sha === undefined) return undefined;
  try {
    const { forge } = repositories.require(issue);
    const found = await forge.failingCheck(sha, AbortSignal.timeout(READ_LIMIT_MS));
    if (found === undefined) return undefined;
    const log = takeLastLines(found.logTail, LINES).slice(-MAX_CHARS);
    return { check: truncateText(toPlainLine(found.name), MAX_NAME_CHARS), sha, log };
  } catch (error) {
    if (error instanceof LegionError) return undefined;
    throw error;
  }
}

/** Caches each log until the issue has a new head commit or CI no longer fails. */
export function openFailingLogs({
  boardView,
  repositories,
  clock,
}: FailingLogContext & Pick<DaemonContext, 'clock'>): FailingLogs {
  const known = new Map<IssueId, { sha: string; at: number; log: Promise<FailingLog | undefined> }>();
  return async (issue) => {
    const sha = findFailingHead({ boardView: boardView }, issue);
    const before = known.get(issue);
    if (sha === undefined) {
      known.delete(issue);
      return undefined;
    }
    const isSame = before?.sha === sha;
    if (isSame && ((await before.log) !== undefined || clock.now() - before.at < RETRY_MS)) return before.log;
    const log = readFailingLog({ boardView: boardView, repositories }, issue);
    known.set(issue, { sha, at: clock.now(), log });
    return log;
  };
}

function findFailingHead(
  { boardView }: Pick<DaemonContext, 'boardView'>,
  issue: IssueId,
): string | undefined {
  const pullRequest = boardView.find(issue)?.pullRequest;
  if (typeof pullRequest !== 'object' || pullRequest.state !== 'open') return undefined;
  return pullRequest.ci === 'failing' || pullRequest.ci === 'timed_out' ? pullRequest.headSha : undefined;
}

/** Formats the log as Markdown for a comment. */
export function quoteFailingLog({ check, sha, log }: FailingLog): string {
  const name = check.replaceAll('`', '’');
  return `CI fails at commit ${sha.slice(0, 12)}. The end of the log of \`${name}\`:\n\n${quoteAsCode(log)}`;
}
