/** An issue and its pull request, read anew while a worker waits for the answer. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Swarm } from '../../core/state/state.ts';
import type { Issue } from '../../domain/issue.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { World } from '../world.ts';

/** Shorter than the 30 s a worker waits for the answer to its report: it should hear "judged later", not nothing. */
const READ_LIMIT_MS = 20_000;

/** For every read that somebody waits for; where it takes too long it rejects as if nobody had been there. */
export async function inTime<T>(
  code: 'tracker.unavailable' | 'forge.unavailable',
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(READ_LIMIT_MS);
  try {
    return await read(limit);
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new LegionError(code, `there was no answer within ${READ_LIMIT_MS} ms`, { cause: error });
  }
}

/** Rejects where there is no such issue. */
export async function issueOf({ tracker }: World, id: IssueId): Promise<Issue> {
  const issue = await inTime('tracker.unavailable', (signal) => tracker.read(id, signal));
  if (issue === undefined) throw new LegionError('tracker.issue_unknown', `${id} is not on the board`);
  return issue;
}

/** As `findPullRequest`, but also a forge that does not answer is `unknown`. */
export async function pullRequestOf(
  world: World,
  issue: IssueId,
): Promise<ForgePullRequest | 'none' | 'unknown'> {
  try {
    return await findPullRequest(world, issue);
  } catch (error) {
    if (error instanceof LegionError) return 'unknown';
    throw error;
  }
}

/** The one of the issue's branch. What could not be read is `unknown`; one whose merge was undone is none. */
export async function findPullRequest(
  { repositories, ledger }: World,
  issue: IssueId,
): Promise<ForgePullRequest | 'none' | 'unknown'> {
  const { forge } = repositories.of(issue);
  const found = await inTime('forge.unavailable', (signal) => forge.pullRequests([issue], signal));
  const mine = found.get(issue) ?? 'none';
  return typeof mine === 'object' && wasUndone(ledger.swarm, issue, mine) ? 'none' : mine;
}

function wasUndone({ issues }: Swarm, issue: IssueId, { state, number }: ForgePullRequest): boolean {
  const merged = issues.get(issue)?.merged;
  return state === 'merged' && merged?.undone !== undefined && merged.pullRequest === number;
}
