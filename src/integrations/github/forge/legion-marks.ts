/**
 * Reads and writes Legion's hidden markers in pull requests, reviews and comments. Legion ignores
 * markers in texts by other accounts.
 */

import { z } from 'zod';
import { LegionError } from '../../../core/model/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import { SHA } from '../../forge-support/clean-text.ts';
import { appendMark, encodeMarkName, escapeMentions, splitMark, TEXT_MAX } from '../client/published-text.ts';

const pullRequestMark = z.object({
  issue: z.string(),
  author: z.string(),
  /** The pull request that this one undoes. */
  reverts: z.int().positive().optional(),
});

const reviewMark = z.object({
  reviewer: z.string().min(1),
  verdict: z.enum(['approved', 'changes_requested']),
  sha: z.string().regex(SHA),
});

export type PullRequestMark = z.infer<typeof pullRequestMark>;
export type ReviewMark = z.infer<typeof reviewMark>;

export const markPullRequest = (text: string, mark: PullRequestMark): string =>
  withMark(text, 'pull-request', mark);
export const markReview = (text: string, mark: ReviewMark): string => withMark(text, 'review', mark);
export const markComment = (text: string, key: string): string =>
  requireFittingText(appendMark(escapeMentions(text), toCommentMarkName(key)));
/** Returns the marker name of a comment with this key. */
export const toCommentMarkName = (key: string): string => encodeMarkName(`key:${key}`);

export const findPullRequestMark = (body: string) => findMark(body, 'pull-request', pullRequestMark);
export const findReviewMark = (body: string) => findMark(body, 'review', reviewMark);

/** Returns the key that a comment was posted with. Undefined if Legion did not post it. */
export function findCommentKey(body: string): string | undefined {
  const decoded = decodeMarkName(splitMark(body).name);
  return decoded?.startsWith('key:') ? decoded.slice('key:'.length) : undefined;
}

/** Returns the published text without the marker. Escaped mentions stay escaped. */
export const stripMark = (body: string): string => splitMark(body).text;

function withMark(text: string, kind: string, data: object): string {
  return requireFittingText(
    appendMark(escapeMentions(text), encodeMarkName(`${kind}:${JSON.stringify(data)}`)),
  );
}

/** Throws instead of truncating, because the end may matter. */
function requireFittingText(text: string): string {
  if (text.length <= TEXT_MAX) return text;
  throw new LegionError(
    'input.invalid',
    `The text with its marker has ${text.length} characters. GitHub's maximum: ${TEXT_MAX}`,
  );
}

function findMark<T>(body: string, kind: string, schema: z.ZodType<T>): T | undefined {
  const decoded = decodeMarkName(splitMark(body).name);
  if (decoded === undefined || !decoded.startsWith(`${kind}:`)) return undefined;
  return schema.safeParse(parseJson(decoded.slice(kind.length + 1))).data;
}

function decodeMarkName(name: string | undefined): string | undefined {
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
