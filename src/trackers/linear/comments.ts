/** Reading an issue's comments: those since a moment, and only once while none are new. */

import type { IssueId } from '../../core/model/ids.ts';
import { wholeText } from '../../domain/plain-text.ts';
import type {
  CommentHeadFragment,
  CommentPartsFragment,
  CommentsPageQuery,
} from '../../integrations/linear/generated/tracker.ts';
import { commentAnswer, commentsPage } from '../../integrations/linear/tracker/answer-schemas.ts';
import { COMMENTS_PAGE } from '../../integrations/linear/tracker/documents.ts';
import { everyPage } from '../../lib/paginate.ts';
import type { Comment } from '../../ports/tracker.ts';
import { unknownIssue } from '../accepted-id.ts';
import { authorOf, isLegions } from './authors.ts';
import { firstMoment } from './entered.ts';
import { readNodes, requireForm } from './read-nodes.ts';
import type { Room } from './room.ts';
import { issueNamed } from './sight.ts';

/**
 * What a list has just told answers for so long: whoever lists the board and then asks each issue of a column for its comments
 * asks about the same moment.
 */
const JUST_READ_MS = 500;

export interface CommentReader {
  since(issue: IssueId, since: number, signal: AbortSignal): Promise<readonly Comment[]>;
  /** A list was read, and these comments are new or changed since the one before; undefined where that cannot be told. */
  listed(said: readonly CommentHeadFragment[] | undefined): void;
  /** Something was posted since. */
  posted(issue: IssueId): void;
  /** What is wrong with comments of an issue that were left out when they were last read. */
  problemsOf(issue: IssueId): readonly string[];
}

interface Kept {
  readonly since: number;
  readonly comments: readonly CommentPartsFragment[];
}

/** A comment that was deleted is forgotten with the next whole read of the board, when nothing is kept. */
export function openComments(room: Room): CommentReader {
  const kept = new Map<IssueId, Kept>();
  const malformed = new Map<IssueId, readonly string[]>();
  let listedAt = Number.NEGATIVE_INFINITY;

  function atHand(issue: IssueId, since: number): readonly CommentPartsFragment[] | undefined {
    const age = room.clock.now() - listedAt;
    const known = kept.get(issue);
    if (age < 0 || age >= JUST_READ_MS || known === undefined || known.since > since) return undefined;
    return known.comments.filter(({ createdAt }) => firstMoment(createdAt) >= since);
  }

  function has(issue: IssueId, head: CommentHeadFragment): boolean {
    const known = kept.get(issue)?.comments.find(({ id }) => id === head.id);
    return known?.updatedAt === head.updatedAt;
  }

  return {
    posted: (issue) => void kept.delete(issue),
    problemsOf: (issue) => malformed.get(issue) ?? [],
    listed(said) {
      listedAt = room.clock.now();
      if (said === undefined) kept.clear();
      for (const head of said ?? []) {
        const issue = head.issue === null ? undefined : room.known.idOf(head.issue.id);
        if (issue !== undefined && !has(issue, head)) kept.delete(issue);
      }
      for (const issue of [...kept.keys(), ...malformed.keys()])
        if (room.known.uuidOf(issue) === undefined) {
          kept.delete(issue);
          malformed.delete(issue);
        }
    },
    async since(issue, since, signal) {
      const known = atHand(issue, since);
      if (known !== undefined) return known.map((comment) => commentIn(room, comment));
      const { comments, problems } = await readComments(room, issue, since, signal);
      kept.set(issue, { since, comments });
      if (problems.length === 0) malformed.delete(issue);
      else malformed.set(issue, problems);
      return comments.map((comment) => commentIn(room, comment));
    },
  };
}

/** Oldest first. Answers within a thread are among them: to Linear they are comments of the issue like others. */
async function readComments(
  room: Room,
  issue: IssueId,
  since: number,
  signal: AbortSignal,
): Promise<{ readonly comments: readonly CommentPartsFragment[]; readonly problems: readonly string[] }> {
  const named = issueNamed(room, issue);
  if (named === undefined) throw unknownIssue(issue);
  const filter = { createdAt: { gte: new Date(since).toISOString() } };
  const found = await everyPage(async (after) => {
    const variables = { issue: named, filter, after };
    const { issues } = await room.client.query<CommentsPageQuery>(COMMENTS_PAGE, variables, { signal });
    const [node] = issues.nodes;
    if (node?.identifier !== issue) throw unknownIssue(issue);
    return requireForm(commentsPage, node.comments, `${issue}.comments`);
  });
  const { nodes, problems } = readNodes(commentAnswer, found, 'comment');
  const comments = nodes.toReversed().sort((a, b) => firstMoment(a.createdAt) - firstMoment(b.createdAt));
  return { comments, problems };
}

function commentIn({ policy, viewer }: Room, comment: CommentPartsFragment): Comment {
  const { name, mayWrite } = authorOf(comment, policy());
  const isOwn = isLegions(comment.id, comment.user, viewer);
  return {
    id: comment.id,
    author: name,
    by: isOwn ? 'legion' : mayWrite ? 'writer' : 'outsider',
    at: firstMoment(comment.createdAt),
    text: wholeText(comment.body),
  };
}
