/**
 * Reads the comments of an issue, newest first and only as far back as requested. Posts comments
 * once per key and edits them.
 */
import { decode } from '../../../core/model/decode.ts';
import { toStorableText } from '../../../core/model/format.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import { createKeyedMutex } from '../../../lib/async/mutex.ts';
import { collectFromEnd } from '../../../lib/paginate.ts';
import { unwrap } from '../../../lib/result.ts';
import type { IssueComment } from '../../../ports/tracker.ts';
import { createUnknownIssueFault } from '../../tracker-support/issue-input.ts';
import { toAccountName } from '../client/client.ts';
import type { NamedRepository } from '../client/issue-reference.ts';
import { createMarkedComment } from '../client/marked-comment.ts';
import { buildPublishedText, findOwnMark, restoreWrittenText, toKeyName } from '../client/published-text.ts';
import { parseTime } from '../client/time.ts';
import type { CommentsPageQuery } from '../generated/tracker.ts';
import { type GithubTrackerContext, type KnownIssue, readProjectIds } from './context.ts';
import { COMMENTS_PAGE } from './documents.ts';
import { findKnownIssue } from './issue-snapshot.ts';
import { commentsPage, type GithubComment, readCommentAnswer } from './read-answer.ts';

/**
 * How long comments are served from the last list without a request. A caller that lists the board
 * and then reads the comments of each issue in a column expects the list and the comments to be
 * from the same moment.
 */
const JUST_READ_MS = 500;

export interface CommentReader {
  since(issue: IssueId, since: number, signal: AbortSignal): Promise<readonly IssueComment[]>;
  /** Call after the boards were listed at this time. */
  listed(at: number): void;
  /** Call after a comment was posted, because the last list does not contain it. */
  posted(issue: IssueId): void;
  /**
   * Returns the problems of comments that were left out when the issue's comments were last read.
   */
  problemsOf(issue: IssueId): readonly string[];
}

export function openComments(context: GithubTrackerContext): CommentReader {
  /**
   * Complete comment lists by issue, each with the `updatedAt` that the issue had before the read.
   */
  const cached = new Map<string, { readonly updatedAt: string; readonly all: readonly GithubComment[] }>();
  let listedAt = Number.NEGATIVE_INFINITY;
  const postedSince = new Set<IssueId>();
  const malformed = new Map<IssueId, readonly string[]>();

  /** Returns comments from the last list without a request, or undefined if some may be missing. */
  function findCached({ id, node }: KnownIssue, since: number): readonly GithubComment[] | undefined {
    const age = context.clock.now() - listedAt;
    const content = context.contents.of(node);
    if (age < 0 || age >= JUST_READ_MS || content === undefined || postedSince.has(id)) return undefined;
    const { answer, isSettled } = content;
    const whole = cached.get(node);
    if (isSettled && whole?.updatedAt === answer.updatedAt) return whole.all.filter(isSince(since));
    const { totalCount, nodes } = answer.comments;
    const [oldest] = nodes;
    const reachesSince =
      totalCount <= nodes.length || (oldest !== undefined && parseTime(oldest.createdAt) < since);
    return reachesSince ? nodes.filter(isSince(since)) : undefined;
  }

  async function readSince(
    known: KnownIssue,
    since: number,
    signal: AbortSignal,
  ): Promise<readonly GithubComment[]> {
    const updatedAt = context.contents.of(known.node)?.answer.updatedAt;
    const all = await readComments(context, known, (oldest) => oldest < since, signal);
    if (all.problems.length === 0) malformed.delete(known.id);
    else malformed.set(known.id, all.problems);
    if (updatedAt !== undefined && all.isWhole) cached.set(known.node, { updatedAt, all: all.comments });
    return all.comments.filter(isSince(since));
  }

  return {
    listed: (at) => {
      listedAt = at;
      postedSince.clear();
      for (const node of cached.keys()) if (context.contents.of(node) === undefined) cached.delete(node);
      for (const issue of malformed.keys())
        if (context.known.of(issue) === undefined) malformed.delete(issue);
    },
    posted: (issue) => void postedSince.add(issue),
    problemsOf: (issue) => malformed.get(issue) ?? [],
    async since(issue, since, signal) {
      const known = await findKnownIssue(context, issue, signal);
      if (known === undefined) throw createUnknownIssueFault(issue);
      const comments = findCached(known, since) ?? (await readSince(known, since, signal));
      const repository = { owner: { login: known.reference.owner }, name: known.reference.repo };
      await context.authors.learn(
        comments.map((comment) => ({ ...comment, repository })),
        signal,
      );
      return comments.map((comment) => toComment(context, repository, comment));
    },
  };
}

interface CommentsReadResult {
  readonly comments: readonly GithubComment[];
  readonly isWhole: boolean;
  /** One error per malformed comment. Such comments are left out. */
  readonly problems: readonly string[];
}

/**
 * Reads comments, oldest first. Stops going back once `isEnough` returns true for the oldest one
 * read.
 */
async function readComments(
  context: GithubTrackerContext,
  known: KnownIssue,
  isEnough: (oldest: number) => boolean,
  signal: AbortSignal,
): Promise<CommentsReadResult> {
  const problems: string[] = [];
  const projects = await readProjectIds(context, signal);
  const read = async (before: string | null) => {
    const node = await fetchCommentsPage(context, known.node, before, signal);
    const { projectItems, comments } = unwrap(decode(commentsPage, node ?? {}, known.id));
    const isOnBoard = projectItems?.nodes?.some(
      (item) => item?.isArchived === false && projects.includes(item.project.id),
    );
    if (comments === undefined || isOnBoard !== true) throw createUnknownIssueFault(known.id);
    const nodes = (comments.nodes ?? []).flatMap((comment) => {
      if (comment === null) return [];
      const read = readCommentAnswer(comment);
      if (!read.ok) problems.push(read.fault.message);
      return read.ok ? [read.value] : [];
    });
    return { pageInfo: comments.pageInfo, nodes };
  };
  const { all, isWhole } = await collectFromEnd(read, ({ createdAt }) => isEnough(parseTime(createdAt)));
  return { comments: all, isWhole, problems };
}

async function fetchCommentsPage(
  { client }: GithubTrackerContext,
  id: string,
  before: string | null,
  signal: AbortSignal,
): Promise<unknown> {
  const callOptions = { signal, tolerates: ['NOT_FOUND'] };
  return (await client.query<CommentsPageQuery>(COMMENTS_PAGE, { id, before }, callOptions)).node;
}

function isSince(since: number): (comment: GithubComment) => boolean {
  return ({ createdAt }) => parseTime(createdAt) >= since;
}

function toComment(
  context: GithubTrackerContext,
  repository: NamedRepository,
  comment: GithubComment,
): IssueComment {
  const isLegions = findOwnMark(comment, context.isLegion) !== undefined;
  const mayWrite =
    context.policy().trust === 'anyone' || context.authors.mayWrite({ ...comment, repository });
  return {
    id: comment.fullDatabaseId || comment.id,
    author: toAccountName(comment.author),
    by: isLegions ? 'legion' : mayWrite ? 'writer' : 'outsider',
    at: parseTime(comment.createdAt),
    text: toStorableText(isLegions ? restoreWrittenText(comment.body) : comment.body),
  };
}

export interface CommentWriter {
  /** Posts a comment once per key. */
  post(issue: IssueId, key: string, text: string): Promise<void>;
  /** Posts a comment, or edits the one with this key if its text differs. */
  put(issue: IssueId, key: string, text: string): Promise<void>;
}

export function createCommentWriter(context: GithubTrackerContext): CommentWriter {
  const { client, isLegion } = context;
  // Serialised per comment, so that concurrent calls in this process post only once.
  const mutex = createKeyedMutex();
  /** Texts of comments as last written, so that writing one again needs no request. */
  const written = new Map<string, string>();

  async function write(issue: IssueId, key: string, text: string, shouldEdit: boolean): Promise<void> {
    const name = toKeyName(key);
    const body = buildPublishedText(text, name);
    const known = await findKnownIssue(context, issue, NEVER_ABORTED);
    if (known === undefined) throw createUnknownIssueFault(issue);
    const commentKey = `${known.node} ${name}`;
    const read = async () => {
      const { comments } = await readComments(context, known, () => false, NEVER_ABORTED);
      return { subject: known.node, comments };
    };
    await mutex(commentKey, async () => {
      const last = written.get(commentKey);
      if (last === body || (last !== undefined && !shouldEdit)) return;
      // Drops the cached text before the request: if the response is lost, the next call reads the
      // comment from GitHub.
      written.delete(commentKey);
      const comment = createMarkedComment({ client, isLegion, name, body, read });
      const found = await comment.find();
      if (found === undefined) await comment.post();
      else if (shouldEdit && found.body !== body) await comment.edit(found);
      written.set(commentKey, shouldEdit || found === undefined ? body : found.body);
    });
  }

  return {
    post: (issue, key, text) => write(issue, key, text, false),
    put: (issue, key, text) => write(issue, key, text, true),
  };
}
