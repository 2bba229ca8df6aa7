/** Reads an issue or a comment of GitHub's without trust in its form: what is malformed is reported, and never throws. */

import { ok, type Result } from '../../core/model/fault.ts';
import { decode } from '../../domain/decode.ts';
import { plainLine } from '../../domain/plain-text.ts';
import type { Actor } from '../../github/actor.ts';
import type { LabelAnswer } from '../../github/label-steps.ts';
import { isGithubNumber } from '../../github/number-range.ts';
import { firstTime } from '../../github/time.ts';
import type {
  CommentPartsFragment,
  IssuePartsFragment,
} from '../../integrations/github/generated/tracker.ts';
import type { Page } from '../../lib/paginate.ts';
import { commentAnswer, issueAnswer, labelsAnswer } from './answer-schemas.ts';

/** A comment whose form was checked. */
export type GithubComment = Omit<CommentPartsFragment, CheckedAuthor> & AuthoredRecord;

/** An issue whose form was checked: there are no nulls in its lists. */
export type GithubIssue = Omit<IssuePartsFragment, CheckedAuthor | 'labels' | 'reopened' | 'comments'> &
  AuthoredRecord & {
    readonly labels: Page<LabelAnswer> | null;
    readonly reopened: { readonly nodes: readonly { readonly createdAt: string }[] };
    readonly comments: { readonly totalCount: number; readonly nodes: readonly GithubComment[] };
  };

type CheckedAuthor = keyof AuthoredRecord;

interface AuthoredRecord {
  /** Digits; empty where GitHub gives none. */
  readonly fullDatabaseId: string;
  readonly author: Actor | null;
  readonly authorAssociation: string;
}

export interface AnswerRead {
  readonly answer: GithubIssue;
  /** What had to be put right, in words. */
  readonly oddities: readonly string[];
}

/** Shown where a time is none, so that the issue can be listed all the same. */
const NO_TIME = '1970-01-01T00:00:00Z';

/** `input.invalid` with the exact place where it does not have the form of an issue. */
export function readIssueAnswer(raw: unknown): Result<AnswerRead> {
  const read = decode(issueAnswer, raw, nameOf(raw));
  if (!read.ok) return read;
  const issue = read.value;
  const oddities: string[] = [];
  const timeText = (field: string, text: string): string => {
    if (firstTime(text) !== undefined) return text;
    oddities.push(`${field} is no time`);
    return NO_TIME;
  };
  const comments = existing(issue.comments.nodes).flatMap((comment) => {
    const found = readCommentAnswer(comment);
    if (!found.ok) oddities.push(found.fault.message);
    return found.ok ? [found.value] : [];
  });
  const answer: GithubIssue = {
    ...issue,
    __typename: 'Issue',
    fullDatabaseId: issue.fullDatabaseId ?? '',
    createdAt: timeText('createdAt', issue.createdAt),
    closedAt: issue.closedAt === null ? null : timeText('closedAt', issue.closedAt),
    author: actorOf(issue.author),
    labels: plainLabels(issue.labels),
    reopened: {
      nodes: existing(issue.reopened.nodes).filter(({ createdAt }) => firstTime(createdAt) !== undefined),
    },
    comments: { totalCount: issue.comments.totalCount, nodes: comments },
  };
  return ok({ answer, oddities });
}

/** `input.invalid` with the exact place where it does not have the form of a comment. */
export function readCommentAnswer(raw: unknown): Result<GithubComment> {
  const read = decode(commentAnswer, raw, 'comment');
  if (!read.ok) return read;
  const { fullDatabaseId, createdAt, author } = read.value;
  return ok({
    ...read.value,
    fullDatabaseId: /^\d+$/.test(fullDatabaseId ?? '') ? (fullDatabaseId ?? '') : '',
    createdAt: firstTime(createdAt) === undefined ? NO_TIME : createdAt,
    author: actorOf(author),
  });
}

/** A further page of an issue's labels. */
export function readLabels(raw: unknown): Result<GithubIssue['labels']> {
  const read = decode(labelsAnswer, raw, 'labels');
  return read.ok ? ok(plainLabels(read.value)) : read;
}

function plainLabels(labels: ReturnType<typeof labelsAnswer.parse>): GithubIssue['labels'] {
  if (labels === null) return null;
  const named = existing(labels.nodes).map(({ id, name }) => ({ id, name: plainLine(name) }));
  return { pageInfo: labels.pageInfo, nodes: named.filter(({ name }) => name !== '') };
}

function actorOf(actor: Actor | null): Actor | null {
  const login = plainLine(actor?.login ?? '');
  return login === '' || actor === null ? null : { __typename: actor.__typename, login };
}

function existing<T>(nodes: readonly (T | null)[] | null): readonly T[] {
  return (nodes ?? []).filter((node) => node !== null);
}

/** How people know the issue, where that much can be read of it. */
function nameOf(raw: unknown): string {
  const { number, repository } = (raw ?? {}) as Partial<GithubIssue>;
  const [owner, name] = [repository?.owner?.login, repository?.name].map((part) =>
    typeof part === 'string' && /^[\w.-]{1,100}$/.test(part) ? part : undefined,
  );
  if (typeof number !== 'number' || !isGithubNumber(number) || owner === undefined || name === undefined)
    return 'issue';
  return `${owner}/${name}#${number}`;
}
