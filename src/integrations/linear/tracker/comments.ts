/**
 * Reads the comments of an issue since a given time and caches them until there are new ones. Posts
 * comments once per key and edits them.
 */

import { toStorableText } from '../../../core/model/format.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import { createKeyedMutex } from '../../../lib/async/mutex.ts';
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
import { COMMENTS_PAGE, CREATE_COMMENT, MADE_COMMENT, UPDATE_COMMENT } from './documents.ts';
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

export interface CommentWriter {
  /**
   * Posts a comment once per key. Posts nothing if the comment exists, even if a person has edited
   * it.
   */
  post(issue: IssueId, key: string, text: string): Promise<void>;
  /** Posts a comment, or edits the one with this key if its text differs. */
  put(issue: IssueId, key: string, text: string): Promise<void>;
}

export function createCommentWriter(context: LinearTrackerContext): CommentWriter {
  const { client, legion } = context;
  // Serialised per comment, so that two edits in this process keep their order.
  const mutex = createKeyedMutex();
  /** Texts of comments as last written, so that writing one again needs no request. */
  const written = new Map<string, string>();

  async function create(issue: IssueId, id: string, body: string): Promise<FoundComment> {
    const found = await findPublished(context, issue, id);
    if (found.body !== undefined) return found;
    const input = { id, issueId: found.issueId, body };
    await createUnlessPresent(
      () => runMutation(client, CREATE_COMMENT, { input }),
      async () => (await findPublished(context, issue, id)).body !== undefined,
    );
    return { ...found, body };
  }

  return {
    async post(issue, key, text) {
      await create(issue, computeOwnId(legion, 'comment', issue, requireKey(key)), prepareText(text));
    },
    async put(issue, key, text) {
      const id = computeOwnId(legion, 'comment', issue, requireKey(key));
      const body = prepareText(text);
      await mutex(id, async () => {
        if (written.get(id) === body) return;
        // Drops the cached text before the request: if the response is lost, the next call reads
        // the comment from Linear.
        written.delete(id);
        const found = await create(issue, id, body);
        if (found.body !== body) await runMutation(client, UPDATE_COMMENT, { id, input: { body } });
        written.set(id, body);
      });
    },
  };
}

interface FoundComment {
  /** Undefined if the comment does not exist. */
  readonly body: string | undefined;
  readonly issueId: string;
}

async function findPublished(
  context: LinearTrackerContext,
  issue: IssueId,
  id: string,
): Promise<FoundComment> {
  const named = buildIssueFilter(context, issue);
  if (named === undefined) throw createUnknownIssueFault(issue);
  const variables = { issue: named, comment: { id: { in: [id] } } };
  const { issues, comments } = await context.client.query<MadeCommentQuery>(MADE_COMMENT, variables, {
    signal: NEVER_ABORTED,
  });
  const [target] = issues.nodes;
  if (target?.identifier !== issue) throw createUnknownIssueFault(issue);
  return { body: comments.nodes[0]?.body, issueId: target.id };
}
