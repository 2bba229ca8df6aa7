/** Reading an issue's comments: the newest first, and only as far back as is asked for. */

import { backward, type PageBackward } from '../../asking/pages.ts';
import type { IssueId } from '../../domain/ids.ts';
import { wholeText } from '../../domain/plain-text.ts';
import { accountName } from '../../github/actor.ts';
import { ownMark } from '../../github/own-mark.ts';
import { asWritten } from '../../github/published-text.ts';
import type { NamedRepository } from '../../github/repository-name.ts';
import { timeOf } from '../../github/time.ts';
import { unknownIssue } from '../accepted-id.ts';
import type { Comment } from '../tracker.ts';
import type { CommentAnswer } from './answers.ts';
import type { Known } from './known-issues.ts';
import { readCommentAnswer } from './read-answer.ts';
import { COMMENTS_PAGE } from './read-documents.ts';
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
}

interface Page {
  readonly projectItems: {
    readonly nodes: readonly { readonly isArchived: boolean; readonly project: { readonly id: string } }[];
  };
  readonly comments: PageBackward<CommentAnswer>;
}

export function openComments(room: Room): CommentReader {
  /** Whole lists of comments, by issue, and when the issue had changed last before they were read. */
  const kept = new Map<string, { readonly updatedAt: string; readonly all: readonly CommentAnswer[] }>();
  let listedAt = Number.NEGATIVE_INFINITY;
  const postedSince = new Set<IssueId>();

  /** What is known without asking, where a list has just said that nothing has changed; undefined where something is missing. */
  function atHand({ id, node }: Known, since: number): readonly CommentAnswer[] | undefined {
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

  async function asked(known: Known, since: number, signal: AbortSignal): Promise<readonly CommentAnswer[]> {
    const updatedAt = room.contents.of(known.node)?.answer.updatedAt;
    const all = await readComments(room, known, (oldest) => oldest < since, signal);
    if (updatedAt !== undefined && all.isWhole) kept.set(known.node, { updatedAt, all: all.comments });
    return all.comments.filter(isSince(since));
  }

  return {
    listed: (at) => {
      listedAt = at;
      postedSince.clear();
      for (const node of kept.keys()) if (room.contents.of(node) === undefined) kept.delete(node);
    },
    posted: (issue) => void postedSince.add(issue),
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

/** Oldest first, all of them, or as many as `isEnough` of the oldest so far leaves over. */
export async function readComments(
  room: Room,
  known: Known,
  isEnough: (oldest: number) => boolean,
  signal: AbortSignal,
): Promise<{ readonly comments: readonly CommentAnswer[]; readonly isWhole: boolean }> {
  const projects = await projectsOf(room, signal);
  const read = async (before: string | null) => {
    const node: Partial<Page> | null = await page(room, known.node, before, signal);
    const isOnBoard = node?.projectItems?.nodes.some(
      (item) => item !== null && !item.isArchived && projects.includes(item.project.id),
    );
    if (node?.comments === undefined || isOnBoard !== true) throw unknownIssue(known.id);
    const { nodes, pageInfo } = node.comments;
    return { pageInfo, nodes: (nodes ?? []).flatMap((comment) => readCommentAnswer(comment) ?? []) };
  };
  const { all, isWhole } = await backward(read, ({ createdAt }) => isEnough(timeOf(createdAt)));
  return { comments: all, isWhole };
}

async function page(
  { client }: Room,
  id: string,
  before: string | null,
  signal: AbortSignal,
): Promise<Partial<Page> | null> {
  const how = { signal, tolerates: ['NOT_FOUND'] };
  return (await client.query<{ node: Partial<Page> | null }>(COMMENTS_PAGE, { id, before }, how)).node;
}

function isSince(since: number): (comment: CommentAnswer) => boolean {
  return ({ createdAt }) => timeOf(createdAt) >= since;
}

function commentIn(room: Room, repository: NamedRepository, comment: CommentAnswer): Comment {
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
