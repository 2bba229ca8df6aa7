/**
 * Posts a comment exactly once, although GitHub has no idempotency keys. A hidden marker at the end
 * of the text identifies the comment; the text itself cannot forge or break the marker.
 */

import { z } from 'zod';
import { LegionError } from '../../../core/model/fault.ts';
import type { LegionCommentsMutation, PartsFragment } from '../generated/client.ts';
import type { GithubClient } from './client.ts';
import { createStep, makeChanges } from './graphql-answer.ts';
import { findOwnMark, type IsLegion, type MarkableText } from './published-text.ts';

/** Number of newest comments included in the response to a post: GitHub's maximum. */
const BESIDE = 100;

interface CommentParts extends MarkableText {
  readonly id: string;
  /** Digits, or empty if GitHub returns none. */
  readonly fullDatabaseId: string;
}

interface FoundComment {
  readonly id: string;
  /** The text including the marker. */
  readonly body: string;
}

export interface MarkedComment {
  /** Resolves to the comment if it exists. */
  find(): Promise<FoundComment | undefined>;
  /** Call only if `find` has not found the comment. */
  post(): Promise<true>;
  /** Replaces the text of the comment that `find` has found. */
  edit(found: FoundComment): Promise<true>;
}

interface MarkedCommentOptions {
  readonly client: GithubClient;
  readonly isLegion: IsLegion;
  /** Name that the marker contains. */
  readonly name: string;
  /** The text including the marker. */
  readonly body: string;
  /** Reads all comments of the issue or pull request, and its GitHub id. */
  readonly read: () => Promise<{ readonly subject: string; readonly comments: readonly CommentParts[] }>;
}

/**
 * Looks for the marker in all comments, posts the comment, and looks again in the response.
 * Comments are numbered in order of creation, so of two concurrent posters the second always sees
 * the first one's comment and deletes its own. Both comments are visible until that deletion. If
 * the second poster is killed first, the next call with the same marker removes the extra comment.
 */
export function createMarkedComment({
  client,
  isLegion,
  name,
  body,
  read,
}: MarkedCommentOptions): MarkedComment {
  let subject = '';

  /** Deletes all duplicates except the first. Another process may be deleting them as well. */
  async function keepFirst(comments: readonly CommentParts[]): Promise<FoundComment | undefined> {
    const [first, ...others] = comments
      .filter((comment) => findOwnMark(comment, isLegion) === name)
      .toSorted((a, b) => Number(toCommentNumber(a) - toCommentNumber(b)));
    for (const { id } of others)
      await makeChanges(client, 'TakeBack', [createStep('deleteIssueComment', { id })]).catch(
        throwUnlessGone,
      );
    return first;
  }

  return {
    async find() {
      const current = await read();
      subject = current.subject;
      return keepFirst(current.comments);
    },
    async post() {
      const input = { subjectId: subject, body };
      const { addComment } = await client.mutate<LegionCommentsMutation>(ADD_COMMENT, { input });
      const comments = addComment?.subject?.comments?.nodes ?? undefined;
      // If the response lacks the list of comments, reports a failure. A later call then checks
      // whether the comment exists.
      if (comments === undefined)
        throw new LegionError('github.unavailable', 'GitHub returned no comments after posting one');
      await keepFirst(comments.flatMap((comment) => readComment(comment) ?? []));
      return true;
    },
    async edit({ id }) {
      await makeChanges(client, 'LegionEditsComment', [createStep('updateIssueComment', { id, body })]);
      return true;
    },
  };
}

/**
 * The response includes the newest comments, because another process may have posted the same
 * comment in the meantime.
 */
export const ADD_COMMENT = `
mutation LegionComments($input: AddCommentInput!) {
  addComment(input: $input) {
    subject {
      ... on Issue { comments(last: ${BESIDE}) { nodes { ...Parts } } }
      ... on PullRequest { comments(last: ${BESIDE}) { nodes { ...Parts } } }
    }
  }
}
fragment Parts on IssueComment { id fullDatabaseId body author { __typename login } }`;

const commentAnswer = z
  .object({
    id: z.string().min(1),
    fullDatabaseId: z.coerce.string().nullable(),
    body: z.string(),
    author: z.object({ __typename: z.string(), login: z.string() }).nullable(),
  })
  .nullable();

/** Skips malformed comments, which are never treated as Legion's. */
function readComment(raw: PartsFragment | null): CommentParts | undefined {
  const { data } = commentAnswer.safeParse(raw);
  return data ? { ...data, fullDatabaseId: data.fullDatabaseId ?? '' } : undefined;
}

function toCommentNumber({ fullDatabaseId }: CommentParts): bigint {
  return /^\d+$/.test(fullDatabaseId) ? BigInt(fullDatabaseId) : 0n;
}

function throwUnlessGone(error: unknown): void {
  if (!(error instanceof LegionError && error.code === 'github.missing')) throw error;
}
