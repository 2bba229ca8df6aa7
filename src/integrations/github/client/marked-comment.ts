/** A comment that is there once, by the mark it carries: GitHub knows no keys. */
import { z } from 'zod';
import { LegionError } from '../../../core/model/fault.ts';
import type { GithubClient } from '../../../github/client.ts';
import { makeChanges, step } from '../../../github/in-one-request.ts';
import { type IsLegion, ownMark, type Text } from '../../../github/own-mark.ts';
import type { LegionCommentsMutation, PartsFragment } from '../generated/client.ts';

/** Newest comments the answer shows; what GitHub gives at most. */
const BESIDE = 100;

interface CommentParts extends Text {
  readonly id: string;
  /** Digits; empty where GitHub gives none. */
  readonly fullDatabaseId: string;
}

export interface MarkedComment {
  /** True where it is there. */
  look(): Promise<true | undefined>;
  /** Only after a look that has not found it. */
  post(): Promise<true>;
}

interface Options {
  readonly client: GithubClient;
  readonly isLegion: IsLegion;
  /** The name in the mark. */
  readonly name: string;
  /** With the mark. */
  readonly body: string;
  /** All comments, and GitHub's id of what they are about. */
  readonly read: () => Promise<{ readonly subject: string; readonly comments: readonly CommentParts[] }>;
}

/**
 * Looks for the mark among all comments, posts, and looks again in the answer to that. Comments are numbered in the order they
 * were made, so of two who post at once the second always sees the first, and takes its own away. Between its posting and
 * that, or if it is killed there until somebody says the same again, two are to be seen.
 */
export function markedComment({ client, isLegion, name, body, read }: Options): MarkedComment {
  let subject = '';

  /** All but the first of them go; somebody else may be taking them away at the same time. */
  async function keepFirst(comments: readonly CommentParts[]): Promise<true | undefined> {
    const [first, ...others] = comments
      .filter((comment) => ownMark(comment, isLegion) === name)
      .toSorted((a, b) => Number(numberOf(a) - numberOf(b)));
    for (const { id } of others)
      await makeChanges(client, 'TakeBack', [step('deleteIssueComment', { id })]).catch(unlessGone);
    return first === undefined ? undefined : true;
  }

  return {
    async look() {
      const found = await read();
      subject = found.subject;
      return keepFirst(found.comments);
    },
    async post() {
      const input = { subjectId: subject, body };
      const { addComment } = await client.mutate<LegionCommentsMutation>(ADD_COMMENT, { input });
      const comments = addComment?.subject?.comments?.nodes ?? undefined;
      // A later call then looks whether the comment is there.
      if (comments === undefined)
        throw new LegionError('github.unavailable', 'GitHub does not show the comment that it was sent');
      await keepFirst(comments.flatMap((comment) => readComment(comment) ?? []));
      return true;
    },
  };
}

/** The answer holds the newest comments as they are after it: somebody else may have said the same meanwhile. */
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

/** A malformed comment is nobody's, and never Legion's. */
function readComment(raw: PartsFragment | null): CommentParts | undefined {
  const { data } = commentAnswer.safeParse(raw);
  return data ? { ...data, fullDatabaseId: data.fullDatabaseId ?? '' } : undefined;
}

function numberOf({ fullDatabaseId }: CommentParts): bigint {
  return /^\d+$/.test(fullDatabaseId) ? BigInt(fullDatabaseId) : 0n;
}

function unlessGone(error: unknown): void {
  if (!(error instanceof LegionError && error.code === 'github.missing')) throw error;
}
