/**
 * Reads the comments of an issue since a given time, caches them until there are new ones, and
 * posts comments once per key.
 */

import { toStorableText } from '../../../core/model/format.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import { collectPages } from '../../../lib/paginate.ts';
import type { IssueComment } from '../../../ports/tracker.ts';
import { createUnknownIssueFault } from '../../tracker-support/issue-input.ts';
import { computeOwnId } from '../client/own-id.ts';
import type {
  CommentHeadFragment,
  CommentPartsFragment,
  CommentsPageQuery,
  MadeCommentQuery,
} from '../generated/tracker.ts';
import { commentAnswer, commentsPage } from './answer-schemas.ts';
import { parseFirstTime } from './column.ts';
import type { LinearTrackerContext } from './context.ts';
import { COMMENTS_PAGE, CREATE_COMMENT, MADE_COMMENT } from './documents.ts';
import { createUnlessPresent, prepareText, requireKey, runMutation } from './idempotent-create.ts';
import { buildIssueFilter } from './issue-snapshot.ts';
import { isByLegion, resolveCommentAuthor } from './to-issue.ts';
import { readNodes, requireForm } from './whole-issues.ts';

/**
 * How long comments are served from the last list without a request. A caller that lists the board
 * and then reads the comments of each issue in a column expects the list and the comments to be
 * from the same moment.
 */
const JUST_READ_MS = 500;

export interface CommentReader {
  since(issue: IssueId, since: number, signal: AbortSignal): Promise<readonly IssueComment[]>;
  /**
   * Call after a list, with the comments that changed since the previous one. `changed` is
   * undefined if these are unknown.
   */
  listed(changed: readonly CommentHeadFragment[] | undefined): void;
  /** Call after a comment was posted. */
  posted(issue: IssueId): void;
  /**
   * Returns the problems of comments that were left out when the issue's comments were last read.
   */
  problemsOf(issue: IssueId): readonly string[];
}

interface KeptComments {
  readonly since: number;
  readonly comments: readonly CommentPartsFragment[];
}

/** Deleted comments disappear with the next full read of the board, which clears the cache. */
export function openComments(context: LinearTrackerContext): CommentReader {
  const cache = new Map<IssueId, KeptComments>();
  const malformed = new Map<IssueId, readonly string[]>();
  let listedAt = Number.NEGATIVE_INFINITY;

  function findCached(issue: IssueId, since: number): readonly CommentPartsFragment[] | undefined {
    const age = context.clock.now() - listedAt;
    const known = cache.get(issue);
    if (age < 0 || age >= JUST_READ_MS || known === undefined || known.since > since) return undefined;
    return known.comments.filter(({ createdAt }) => parseFirstTime(createdAt) >= since);
  }

  function has(issue: IssueId, head: CommentHeadFragment): boolean {
    const known = cache.get(issue)?.comments.find(({ id }) => id === head.id);
    return known?.updatedAt === head.updatedAt;
  }

  return {
    posted: (issue) => void cache.delete(issue),
    problemsOf: (issue) => malformed.get(issue) ?? [],
    listed(changed) {
      listedAt = context.clock.now();
      if (changed === undefined) cache.clear();
      for (const head of changed ?? []) {
        const issue = head.issue === null ? undefined : context.known.idOf(head.issue.id);
        if (issue !== undefined && !has(issue, head)) cache.delete(issue);
      }
      for (const issue of [...cache.keys(), ...malformed.keys()])
        if (context.known.uuidOf(issue) === undefined) {
          cache.delete(issue);
          malformed.delete(issue);
        }
    },
    async since(issue, since, signal) {
      const known = findCached(issue, since);
      if (known !== undefined) return known.map((comment) => toComment(context, comment));
      const { comments, problems } = await readComments(context, issue, since, signal);
      cache.set(issue, { since, comments });
      if (problems.length === 0) malformed.delete(issue);
      else malformed.set(issue, problems);
      return comments.map((comment) => toComment(context, comment));
    },
  };
}

/**
 * Returns comments oldest first. Replies in threads are included: Linear stores them as comments of
 * the issue.
 */
async function readComments(
  context: LinearTrackerContext,
  issue: IssueId,
  since: number,
  signal: AbortSignal,
): Promise<{ readonly comments: readonly CommentPartsFragment[]; readonly problems: readonly string[] }> {
  const named = buildIssueFilter(context, issue);
  if (named === undefined) throw createUnknownIssueFault(issue);
  const filter = { createdAt: { gte: new Date(since).toISOString() } };
  const rawComments = await collectPages(async (after) => {
    const variables = { issue: named, filter, after };
    const { issues } = await context.client.query<CommentsPageQuery>(COMMENTS_PAGE, variables, { signal });
    const [node] = issues.nodes;
    if (node?.identifier !== issue) throw createUnknownIssueFault(issue);
    return requireForm(commentsPage, node.comments, `${issue}.comments`);
  });
  const { nodes, problems } = readNodes(commentAnswer, rawComments, 'comment');
  const comments = nodes
    .toReversed()
    .sort((a, b) => parseFirstTime(a.createdAt) - parseFirstTime(b.createdAt));
  return { comments, problems };
}

function toComment({ policy, viewer }: LinearTrackerContext, comment: CommentPartsFragment): IssueComment {
  const { name, mayWrite } = resolveCommentAuthor(comment, policy());
  const isOwn = isByLegion(comment.id, comment.user, viewer);
  return {
    id: comment.id,
    author: name,
    by: isOwn ? 'legion' : mayWrite ? 'writer' : 'outsider',
    at: parseFirstTime(comment.createdAt),
    text: toStorableText(comment.body),
  };
}

/**
 * Posts a comment once per key. Posts nothing if the comment exists, even if a person has edited
 * it.
 */
export async function publishComment(
  context: LinearTrackerContext,
  issue: IssueId,
  key: string,
  text: string,
): Promise<void> {
  const { client, legion } = context;
  const id = computeOwnId(legion, 'comment', issue, requireKey(key));
  const body = prepareText(text);
  const { exists, issueId } = await findPublished(context, issue, id);
  if (exists) return;
  await createUnlessPresent(
    () => runMutation(client, CREATE_COMMENT, { input: { id, issueId, body } }),
    async () => (await findPublished(context, issue, id)).exists,
  );
}

async function findPublished(
  context: LinearTrackerContext,
  issue: IssueId,
  id: string,
): Promise<{ readonly exists: boolean; readonly issueId: string }> {
  const named = buildIssueFilter(context, issue);
  if (named === undefined) throw createUnknownIssueFault(issue);
  const variables = { issue: named, comment: { id: { in: [id] } } };
  const { issues, comments } = await context.client.query<MadeCommentQuery>(MADE_COMMENT, variables, {
    signal: NEVER_ABORTED,
  });
  const [target] = issues.nodes;
  if (target?.identifier !== issue) throw createUnknownIssueFault(issue);
  return { exists: comments.nodes.length > 0, issueId: target.id };
}
