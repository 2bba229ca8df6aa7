/** Reads from tracker and forge on behalf of a person who waits for the answer. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../domain/issue.ts';
import type { World } from '../world.ts';

/** Longer than an adapter's own retries take, shorter than a person's patience. */
const MOST_MS = 30_000;

export async function reading<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(MOST_MS);
  try {
    return await read(signal);
  } catch (error) {
    if (!signal.aborted || error instanceof LegionError) throw error;
    throw new LegionError('tracker.unavailable', `no answer within ${MOST_MS / 1_000} s`, { cause: error });
  }
}

/** Rejects with `tracker.issue_unknown` where the board has no such issue. */
export async function readIssue({ tracker }: World, issue: IssueId): Promise<Issue> {
  const found = await reading((signal) => tracker.read(issue, signal));
  if (found === undefined) throw new LegionError('tracker.issue_unknown', `${issue} is not on the board`);
  return found;
}

/** The whole board: read anew where that costs nothing, else as the loop last saw it, which keeps the API budget. */
export async function presentIssues({ tracker, board, view }: World): Promise<readonly Issue[]> {
  const seen = view.all;
  return board !== undefined || seen.length === 0
    ? reading((signal) => tracker.list(signal))
    : seen.map(({ issue }) => issue);
}
