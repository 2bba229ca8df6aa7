/** Reads people's comments on issues that are waiting for an answer. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import type { IssueComment, Tracker } from '../../ports/tracker.ts';

interface IssueComments {
  /** People's comments on each issue that waits for an answer, oldest first. */
  readonly answers: ReadonlyMap<IssueId, readonly IssueComment[]>;
  /** People's comments since each issue entered the Icebox. */
  readonly iceboxed: ReadonlyMap<IssueId, readonly string[]>;
  /** Reasons why the comments of some issues could not be read. */
  readonly unread: ReadonlyMap<IssueId, string>;
}

interface CommentSources {
  readonly tracker: Pick<Tracker, 'commentsSince'>;
  /**
   * Returns the time from which people’s comments may count as answers to a question. Undefined if
   * no comment can.
   */
  readonly findCommentsStart?: (issue: Issue) => number | undefined;
}

/**
 * Reads the comments that trusted people wrote since the issue entered the Icebox or since a
 * question was asked.
 */
export async function readIssueComments(
  { tracker, findCommentsStart }: CommentSources,
  board: readonly Pick<ObservedIssue, 'issue' | 'status'>[],
  signal: AbortSignal,
): Promise<IssueComments> {
  const answers = new Map<IssueId, readonly IssueComment[]>();
  const iceboxed = new Map<IssueId, readonly string[]>();
  const unread = new Map<IssueId, string>();
  await Promise.all(
    board.map(async ({ issue, status }) => {
      const since = status === 'Icebox' ? issue.enteredStatusAt : findCommentsStart?.(issue);
      if (since === undefined) return;
      try {
        const comments = await tracker.commentsSince(issue.id, since, signal);
        const written = comments.filter(({ by }) => by === 'writer');
        if (status === 'Icebox')
          iceboxed.set(
            issue.id,
            written.map(({ text }) => text),
          );
        if (written.length > 0) answers.set(issue.id, written);
      } catch (error) {
        // A retryable error fails the read of the whole board, which is then retried. Any other
        // error concerns only this issue.
        if (signal.aborted || !(error instanceof LegionError) || error.retryable) throw error;
        unread.set(issue.id, `Legion cannot read the comments of this issue: ${error.message}`);
      }
    }),
  );
  return { answers, iceboxed, unread };
}
