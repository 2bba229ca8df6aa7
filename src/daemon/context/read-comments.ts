/** Reads what people have written on issues that wait for a word of theirs. */
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { SeenIssue } from '../../core/state/observation.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Comment, Tracker } from '../../ports/tracker.ts';

interface Words {
  /** The first answer of a person where one is waited for. */
  readonly said: ReadonlyMap<IssueId, Comment>;
  /** What people have written on issues since they came into the Icebox. */
  readonly iceboxed: ReadonlyMap<IssueId, readonly string[]>;
  /** Why the comments of some issues could not be read. */
  readonly unread: ReadonlyMap<IssueId, string>;
}

interface WordSources {
  readonly tracker: Pick<Tracker, 'commentsSince'>;
  /** Since when a person’s word is waited for; undefined where nobody waits. */
  readonly waitsSince?: (issue: Issue) => number | undefined;
}

/** What people who may write have said since the issue came into the Icebox, or since something was asked on it. */
export async function readWords(
  { tracker, waitsSince }: WordSources,
  board: readonly Pick<SeenIssue, 'issue' | 'status'>[],
  signal: AbortSignal,
): Promise<Words> {
  const said = new Map<IssueId, Comment>();
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
        if (first !== undefined) said.set(issue.id, first);
      } catch (error) {
        // What may pass is tried again with the whole board; what is refused concerns this issue alone.
        if (signal.aborted || !(error instanceof LegionError) || error.retryable) throw error;
        unread.set(issue.id, `Legion cannot read the comments of this issue: ${error.message}`);
      }
    }),
  );
  return { said, iceboxed, unread };
}
