/** Reading an issue's comments: the newest first, and only as far back as is asked for. */

import type { IssueId } from '../../core/model/ids.ts';
import { decode } from '../../domain/decode.ts';
import { wholeText } from '../../domain/plain-text.ts';
import { accountName } from '../../github/actor.ts';
import { ownMark } from '../../github/own-mark.ts';
import { asWritten } from '../../github/published-text.ts';
import type { NamedRepository } from '../../github/repository-name.ts';
import { timeOf } from '../../github/time.ts';
import type { CommentsPageQuery } from '../../integrations/github/generated/tracker.ts';
import { COMMENTS_PAGE } from '../../integrations/github/tracker/documents.ts';
import { backward } from '../../lib/paginate.ts';
import { unwrap } from '../../lib/result.ts';
import type { Comment } from '../../ports/tracker.ts';
import { unknownIssue } from '../accepted-id.ts';
import { commentsPage } from './answer-schemas.ts';
import type { Known } from './known-issues.ts';
import { type GithubComment, readCommentAnswer } from './read-answer.ts';
import { projectsOf, type Room } from './room.ts';
import { findKnown } from './sight.ts';

/**
 * What a list has just read answers for so long: whoever lists the board and then asks each issue of a column for its comments
 * asks about the same moment.
 */
const JUST_READ_MS = 500;

export interface CommentReader {
  since(issue: IssueId, since: number, signal: AbortSignal): Promise<readonly Comment[]>;
  /** A list was read at this moment. */
  listed(at: number): void;
  /** Something was posted since: what a list has read does not have it. */
  posted(issue: IssueId): void;
  /** What is wrong with comments of an issue that were left out when they were last read. */
  problemsOf(issue: IssueId): readonly string[];
}

export function openComments(room: Room): CommentReader {
  /** Whole lists of comments, by issue, and when the issue had changed last before they were read. */
  const kept = new Map<string, { readonly updatedAt: string; readonly all: readonly GithubComment[] }>();
  let listedAt = Number.NEGATIVE_INFINITY;
  const postedSince = new Set<IssueId>();
  const malformed = new Map<IssueId, readonly string[]>();

  /** What is known without asking, where a list has just said that nothing has changed; undefined where something is missing. */
  function atHand({ id, node }: Known, since: number): readonly GithubComment[] | undefined {
    const age = room.clock.now() - listedAt;
    const content = room.contents.of(node);
    if (age < 0 || age >= JUST_READ_MS || content === undefined || postedSince.has(id)) return undefined;
    const { answer, isSettled } = content;
    const whole = kept.get(node);
    if (isSettled && whole?.updatedAt === answer.updatedAt) return whole.all.filter(isSince(since));
    const { totalCount, nodes } = answer.comments;
    const [oldest] = nodes;
    const reaches = totalCount <= nodes.length || (oldest !== undefined && timeOf(oldest.createdAt) < since);
    return reaches ? nodes.filter(isSince(since)) : undefined;
  }

  async function asked(known: Known, since: number, signal: AbortSignal): Promise<readonly GithubComment[]> {
    const updatedAt = room.contents.of(known.node)?.answer.updatedAt;
    const all = await readComments(room, known, (oldest) => oldest < since, signal);
    if (all.problems.length === 0) malformed.delete(known.id);
    else malformed.set(known.id, all.problems);
    if (updatedAt !== undefined && all.isWhole) kept.set(known.node, { updatedAt, all: all.comments });
    return all.comments.filter(isSince(since));
  }

  return {
    listed: (at) => {
      listedAt = at;
      postedSince.clear();
      for (const node of kept.keys()) if (room.contents.of(node) === undefined) kept.delete(node);
      for (const issue of malformed.keys()) if (room.known.of(issue) === undefined) malformed.delete(issue);
    },
    posted: (issue) => void postedSince.add(issue),
    problemsOf: (issue) => malformed.get(issue) ?? [],
    async since(issue, since, signal) {
      const known = await findKnown(room, issue, signal);
      if (known === undefined) throw unknownIssue(issue);
      const found = atHand(known, since) ?? (await asked(known, since, signal));
      const repository = { owner: { login: known.place.owner }, name: known.place.repo };
      await room.authors.learn(
        found.map((comment) => ({ ...comment, repository })),
        signal,
      );
      return found.map((comment) => commentIn(room, repository, comment));
    },
  };
}

interface CommentsRead {
  readonly comments: readonly GithubComment[];
  readonly isWhole: boolean;
  /** Of comments that are malformed and left out. */
  readonly problems: readonly string[];
}

/** Oldest first, all of them, or as many as `isEnough` of the oldest so far leaves over. */
export async function readComments(
  room: Room,
  known: Known,
  isEnough: (oldest: number) => boolean,
  signal: AbortSignal,
): Promise<CommentsRead> {
  const problems: string[] = [];
  const projects = await projectsOf(room, signal);
  const read = async (before: string | null) => {
    const node = await page(room, known.node, before, signal);
    const { projectItems, comments } = unwrap(decode(commentsPage, node ?? {}, known.id));
    const isOnBoard = projectItems?.nodes?.some(
      (item) => item?.isArchived === false && projects.includes(item.project.id),
    );
    if (comments === undefined || isOnBoard !== true) throw unknownIssue(known.id);
    const nodes = (comments.nodes ?? []).flatMap((comment) => {
      if (comment === null) return [];
      const read = readCommentAnswer(comment);
      if (!read.ok) problems.push(read.fault.message);
      return read.ok ? [read.value] : [];
    });
    return { pageInfo: comments.pageInfo, nodes };
  };
  const { all, isWhole } = await backward(read, ({ createdAt }) => isEnough(timeOf(createdAt)));
  return { comments: all, isWhole, problems };
}

async function page(
  { client }: Room,
  id: string,
  before: string | null,
  signal: AbortSignal,
): Promise<unknown> {
  const how = { signal, tolerates: ['NOT_FOUND'] };
  return (await client.query<CommentsPageQuery>(COMMENTS_PAGE, { id, before }, how)).node;
}

function isSince(since: number): (comment: GithubComment) => boolean {
  return ({ createdAt }) => timeOf(createdAt) >= since;
}

function commentIn(room: Room, repository: NamedRepository, comment: GithubComment): Comment {
  const isLegions = ownMark(comment, room.isLegion) !== undefined;
  const mayWrite = room.policy().trust === 'anyone' || room.authors.mayWrite({ ...comment, repository });
  return {
    id: comment.fullDatabaseId || comment.id,
    author: accountName(comment.author),
    by: isLegions ? 'legion' : mayWrite ? 'writer' : 'outsider',
    at: timeOf(comment.createdAt),
    text: wholeText(isLegions ? asWritten(comment.body) : comment.body),
  };
}
