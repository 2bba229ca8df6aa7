/** The last lines of a red CI, for a person who has to decide about the issue: in the inbox and in Legion's comment. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { cutText, plainLine } from '../../domain/plain-text.ts';
import type { FailingLog } from '../../protocol/ci.ts';
import { quoteAsCode } from '../present/quote-as-code.ts';
import type { World } from '../world.ts';
import { lastLines } from './read-checks.ts';

/** What fits beside everything else that waits. */
const LINES = 15;
const MAX_CHARS = 3_000;
const MAX_NAME_CHARS = 100;

/** A person waits for the inbox, and the issue for its comment: both do without rather than wait longer. */
const READ_LIMIT_MS = 5_000;

/** The same failed commit is not read again: an open inbox must not use up what a service allows. */
const RETRY_MS = 60_000;

type Seen = Pick<World, 'view' | 'repositories'>;

export type FailingLogs = (issue: IssueId) => Promise<FailingLog | undefined>;

/** Undefined where CI is not red as last seen, or its log cannot be read now. */
export async function readFailingLog(
  { view, repositories }: Seen,
  issue: IssueId,
): Promise<FailingLog | undefined> {
  const sha = redHead({ view }, issue);
  if (sha === undefined) return undefined;
  try {
    const { forge } = repositories.of(issue);
    const found = await forge.failingCheck(sha, AbortSignal.timeout(READ_LIMIT_MS));
    if (found === undefined) return undefined;
    const log = lastLines(found.logTail, LINES).slice(-MAX_CHARS);
    return { check: cutText(plainLine(found.name), MAX_NAME_CHARS), sha, log };
  } catch (error) {
    if (error instanceof LegionError) return undefined;
    throw error;
  }
}

/** Remembers each log until the issue has another head, or CI is no longer red. */
export function openFailingLogs({ view, repositories, clock }: Seen & Pick<World, 'clock'>): FailingLogs {
  const known = new Map<IssueId, { sha: string; at: number; log: Promise<FailingLog | undefined> }>();
  return async (issue) => {
    const sha = redHead({ view }, issue);
    const before = known.get(issue);
    if (sha === undefined) {
      known.delete(issue);
      return undefined;
    }
    const isSame = before?.sha === sha;
    if (isSame && ((await before.log) !== undefined || clock.now() - before.at < RETRY_MS)) return before.log;
    const log = readFailingLog({ view, repositories }, issue);
    known.set(issue, { sha, at: clock.now(), log });
    return log;
  };
}

function redHead({ view }: Pick<World, 'view'>, issue: IssueId): string | undefined {
  const pullRequest = view.of(issue)?.pullRequest;
  if (typeof pullRequest !== 'object' || pullRequest.state !== 'open') return undefined;
  return pullRequest.ci === 'failing' ? pullRequest.headSha : undefined;
}

/** As Markdown for a comment. */
export function quoteFailingLog({ check, sha, log }: FailingLog): string {
  const name = check.replaceAll('`', '’');
  return `CI fails at commit ${sha.slice(0, 12)}. The end of the log of \`${name}\`:\n\n${quoteAsCode(log)}`;
}
