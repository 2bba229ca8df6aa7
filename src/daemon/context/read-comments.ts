/** Reads people's comments on issues that are waiting for an answer. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import type { IssueComment, Tracker } from '../../ports/tracker.ts';

interface IssueComments {
  /** A person's first answer on each waiting issue. */
  readonly answers: ReadonlyMap<IssueId, IssueComment>;
  /** People's comments since each issue entered the Icebox. */
  readonly iceboxed: ReadonlyMap<IssueId, readonly string[]>;
  /** Reasons why the comments of some issues could not be read. */
  readonly unread: ReadonlyMap<IssueId, string>;
}

interface CommentSources {
  readonly tracker: Pick<Tracker, 'commentsSince'>;
  /**
   * Returns the time at which the issue began to wait for a person’s answer. Undefined if it is not
   * waiting for one.
   */
  readonly findAnswerWaitStart?: (issue: Issue) => number | undefined;
}

/**
 * Reads the comments that trusted people wrote since the issue entered the Icebox or since a
 * question was asked.
 */
export async function readIssueComments(
  { tracker, findAnswerWaitStart: waitsSince }: CommentSources,
  board: readonly Pick<ObservedIssue, 'issue' | 'status'>[],
  signal: AbortSignal,
): Promise<IssueComments> {
  const firstComments = new Map<IssueId, IssueComment>();
  const iceboxed = new Map<IssueId, readonly string[]>();
  const unread = new Map<IssueId, string>();
  await Promise.all(
    board.map(async ({ issue, status }) => {
      const since = status === 'Icebox' ? issue.enteredStatusAt : waitsSince?.(issue);
      if (since === undefined) return;
      try {
        const comments = await tracker.commentsSince(issue.id, since, signal);
        const written = comments.filter(({ by }) => by === 'writer');
        const [first] = written;
        if (status === 'Icebox')
          iceboxed.set(
            issue.id,
            written.map(({ text }) => text),
          );
        if (first !== undefined) firstComments.set(issue.id, first);
      } catch (error) {
        // A retryable error fails the read of the whole board, which is then retried. Any other
        // error concerns only this issue.
        if (signal.aborted || !(error instanceof LegionError) || error.retryable) throw error;
        unread.set(issue.id, `Legion cannot read the comments of this issue: ${error.message}`);
      }
    }),
  );
  return { answers: firstComments, iceboxed, unread };
}
