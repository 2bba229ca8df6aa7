/** What Legion's hidden marks say on a pull request and in a review; they count only in texts of Legion's own accounts. */

import { z } from 'zod';
import { LegionError } from '../../../core/model/fault.ts';
import { SHA } from '../../../forges/sha.ts';
import { marked, markName, unmarked } from '../../../github/mark.ts';
import { TEXT_MAX } from '../../../github/published-text.ts';
import { quiet } from '../../../github/quiet-text.ts';
import { parseJson } from '../../../lib/json.ts';

const pullRequestMark = z.object({
  issue: z.string(),
  author: z.string(),
  /** The pull request this one undoes. */
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
  fitting(marked(quiet(text), commentMark(key)));
/** What the mark of a comment with this key is called. */
export const commentMark = (key: string): string => markName(`key:${key}`);

export const pullRequestMarkIn = (body: string) => markIn(body, 'pull-request', pullRequestMark);
export const reviewMarkIn = (body: string) => markIn(body, 'review', reviewMark);

/** The key a comment was posted by; undefined for one that Legion did not post. */
export function commentKeyIn(body: string): string | undefined {
  const said = decoded(unmarked(body).name);
  return said?.startsWith('key:') ? said.slice('key:'.length) : undefined;
}

/** What was published, without the mark: mentions stay quiet. */
export const withoutMark = (body: string): string => unmarked(body).text;

function withMark(text: string, kind: string, data: object): string {
  return fitting(marked(quiet(text), markName(`${kind}:${JSON.stringify(data)}`)));
}

/** Refused rather than cut: the end may be what matters. */
function fitting(text: string): string {
  if (text.length <= TEXT_MAX) return text;
  throw new LegionError(
    'input.invalid',
    `the text has ${text.length} characters with its mark, GitHub takes ${TEXT_MAX}`,
  );
}

function markIn<T>(body: string, kind: string, schema: z.ZodType<T>): T | undefined {
  const said = decoded(unmarked(body).name);
  if (said === undefined || !said.startsWith(`${kind}:`)) return undefined;
  return schema.safeParse(parseJson(said.slice(kind.length + 1))).data;
}

function decoded(name: string | undefined): string | undefined {
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
