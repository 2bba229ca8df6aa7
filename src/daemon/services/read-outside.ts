/**
 * Finds issues, and reads from the tracker and the forge on behalf of a person who is waiting for
 * the answer.
 */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import { listIssueWorkers } from '../../core/state/workers.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';

/** Longer than an adapter's own retries take, and shorter than people are willing to wait. */
const READ_LIMIT_MS = 30_000;

export async function readWithLimit<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(READ_LIMIT_MS);
  try {
    return await read(signal);
  } catch (error) {
    if (!signal.aborted || error instanceof LegionError) throw error;
    throw new LegionError('tracker.unavailable', `No response within ${READ_LIMIT_MS / 1_000} s.`, {
      cause: error,
    });
  }
}

/** Rejects with `tracker.issue_unknown` if the issue is not on the board. */
export async function readIssue({ tracker }: PortContext, issue: IssueId): Promise<Issue> {
  const found = await readWithLimit((signal) => tracker.read(issue, signal));
  if (found === undefined) throw new LegionError('tracker.issue_unknown', `${issue} is not on the board`);
  return found;
}

/**
 * Returns the whole board. Reads it again if that costs no API budget. Otherwise returns it as the
 * loop last saw it.
 */
export async function readIssues({
  tracker,
  board,
  boardView,
}: StateContext & PortContext): Promise<readonly Issue[]> {
  const seen = boardView.all;
  return board !== undefined || seen.length === 0
    ? readWithLimit((signal) => tracker.list(signal))
    : seen.map(({ issue }) => issue);
}

/**
 * Reads the pull request of an issue in any status. Null if the issue has none. Also null if the
 * forge cannot be read, so that the rest of the answer is still shown.
 */
export async function readPullRequest(
  { repositories }: PortContext,
  issue: IssueId,
): Promise<ForgePullRequest | null> {
  try {
    const { forge } = repositories.require(issue);
    const found = (await readWithLimit((signal) => forge.pullRequests([issue], signal))).get(issue);
    return typeof found === 'object' ? found : null;
  } catch {
    return null;
  }
}

/**
 * Finds an issue on the board or in the journal, or one that was added since the last reconcile
 * pass. Resolves to the board's own spelling of the issue id. Rejects with `tracker.issue_unknown`
 * if there is no such issue.
 */
export async function requireKnownIssue(
  context: StateContext & PortContext,
  given: IssueId,
): Promise<IssueId> {
  const { boardView, ledger } = context;
  const issue = boardView.resolveId(given);
  const { state } = ledger;
  const isInJournal =
    state.board.has(issue) || state.issues.has(issue) || listIssueWorkers(state, issue).length > 0;
  if (isInJournal || boardView.find(issue) !== undefined) return issue;
  // Only an unknown id costs an external request. It may belong to a new issue that a person opens
  // in the dashboard before the loop has seen it.
  return (await readIssue(context, issue)).id;
}
