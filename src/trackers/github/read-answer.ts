/** Reads an issue or a comment of GitHub's without trust in its form: what is odd is put right or reported, and never throws. */
import { plainLine } from '../../domain/plain-text.ts';
import type { Actor } from '../../github/actor.ts';
import type { LabelAnswer } from '../../github/label-steps.ts';
import { isGithubNumber } from '../../github/number-range.ts';
import { firstTime } from '../../github/time.ts';
import type { CommentAnswer, IssueAnswer } from './answers.ts';

export interface AnswerRead {
  readonly answer: IssueAnswer;
  /** What had to be put right, in words. */
  readonly oddities: readonly string[];
}

/** Shown where a time is none, so that the issue can be listed all the same. */
const NO_TIME = '1970-01-01T00:00:00Z';

/** Undefined where it cannot be told which issue it is. */
export function readIssueAnswer(raw: IssueAnswer): AnswerRead | undefined {
  const { id, number, repository } = raw;
  const isNamed =
    isText(id) && isGithubNumber(number) && isText(repository?.name) && isText(repository?.owner?.login);
  if (!isNamed) return undefined;
  const oddities: string[] = [];
  const timeText = (field: string, value: unknown): string => {
    if (firstTime(value) !== undefined) return String(value);
    oddities.push(`${field} is no time`);
    return NO_TIME;
  };
  const answer: IssueAnswer = {
    ...raw,
    title: textOf(raw.title),
    body: textOf(raw.body),
    createdAt: timeText('createdAt', raw.createdAt),
    updatedAt: textOf(raw.updatedAt),
    closedAt: (raw.closedAt ?? null) === null ? null : timeText('closedAt', raw.closedAt),
    author: actorOf(raw.author),
    authorAssociation: textOf(raw.authorAssociation),
    labels: readLabels(raw.labels),
    parent: parentOf(raw.parent),
    reopened: { nodes: nodesOf(raw.reopened).filter(({ createdAt }) => firstTime(createdAt) !== undefined) },
    comments: {
      totalCount: Number(raw.comments?.totalCount) || 0,
      nodes: nodesOf(raw.comments).flatMap((comment) => readCommentAnswer(comment) ?? []),
    },
  };
  return { answer, oddities };
}

/** Undefined where GitHub shows nothing of it. */
export function readCommentAnswer(raw: CommentAnswer | null): CommentAnswer | undefined {
  if (raw === null || !isText(raw.id)) return undefined;
  return {
    ...raw,
    fullDatabaseId: /^\d+$/.test(String(raw.fullDatabaseId)) ? String(raw.fullDatabaseId) : '',
    body: textOf(raw.body),
    createdAt: firstTime(raw.createdAt) === undefined ? NO_TIME : raw.createdAt,
    author: actorOf(raw.author),
    authorAssociation: textOf(raw.authorAssociation),
  };
}

export function readLabels(labels: IssueAnswer['labels']): IssueAnswer['labels'] {
  if ((labels ?? null) === null || labels === null) return null;
  return { pageInfo: labels.pageInfo, nodes: nodesOf(labels).flatMap(labelOf) };
}

function labelOf({ id, name }: LabelAnswer): LabelAnswer[] {
  const plain = plainLine(textOf(name));
  return isText(id) && plain !== '' ? [{ id, name: plain }] : [];
}

function parentOf(parent: IssueAnswer['parent']): IssueAnswer['parent'] {
  const isNamed =
    isGithubNumber(parent?.number ?? 0) &&
    isText(parent?.repository?.name) &&
    isText(parent?.repository?.owner?.login);
  return isNamed ? parent : null;
}

function actorOf(actor: Actor | null): Actor | null {
  const login = plainLine(textOf(actor?.login));
  return login === '' ? null : { __typename: textOf(actor?.__typename), login };
}

/** GitHub's schema allows a list, and each of its entries, to be null. */
function nodesOf<T>(list: { readonly nodes: readonly (T | null)[] | null } | null | undefined): readonly T[] {
  return (list?.nodes ?? []).filter((node) => node !== null);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
