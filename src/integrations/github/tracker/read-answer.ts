/**
 * Validates GitHub's responses for issues, board items and comments. Reports malformed data instead
 * of throwing.
 */
import { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { ok, type Result } from '../../../core/model/fault.ts';
import { toPlainLine } from '../../../core/model/format.ts';
import type { ForwardPage } from '../../../lib/paginate.ts';
import { isGithubNumber } from '../../tracker-support/pull-request-address.ts';
import type { GithubActor, LabelAnswer } from '../client/client.ts';
import { parseFirstTime } from '../client/time.ts';
import type {
  CommentPartsFragment,
  DigestPageFragment,
  IssuePartsFragment,
  ItemPartsFragment,
} from '../generated/tracker.ts';

/** A validated comment. */
export type GithubComment = Omit<CommentPartsFragment, CheckedAuthor> & AuthoredRecord;

/** A validated issue, without nulls in its lists. */
export type GithubIssue = Omit<IssuePartsFragment, CheckedAuthor | 'labels' | 'reopened' | 'comments'> &
  AuthoredRecord & {
    readonly labels: ForwardPage<LabelAnswer> | null;
    readonly reopened: { readonly nodes: readonly { readonly createdAt: string }[] };
    readonly comments: { readonly totalCount: number; readonly nodes: readonly GithubComment[] };
  };

type CheckedAuthor = keyof AuthoredRecord;

interface AuthoredRecord {
  /** Digits; empty if GitHub returns none. */
  readonly fullDatabaseId: string;
  readonly author: GithubActor | null;
  readonly authorAssociation: string;
}

export interface IssueReadResult {
  readonly answer: GithubIssue;
  /** Descriptions of the values that were replaced. */
  readonly oddities: readonly string[];
}

/** Replacement for an invalid time, so that the issue can still be listed. */
const NO_TIME = '1970-01-01T00:00:00Z';

/** Returns `input.invalid` with the exact path if the response is not a well-formed issue. */
export function readIssueAnswer(raw: unknown): Result<IssueReadResult> {
  const read = decode(issueAnswer, raw, describeRawIssue(raw));
  if (!read.ok) return read;
  const issue = read.value;
  const oddities: string[] = [];
  const checkTime = (field: string, text: string): string => {
    if (parseFirstTime(text) !== undefined) return text;
    oddities.push(`${field} is not a valid time`);
    return NO_TIME;
  };
  const comments = omitNulls(issue.comments.nodes).flatMap((comment) => {
    const parsed = readCommentAnswer(comment);
    if (!parsed.ok) oddities.push(parsed.fault.message);
    return parsed.ok ? [parsed.value] : [];
  });
  const answer: GithubIssue = {
    ...issue,
    __typename: 'Issue',
    fullDatabaseId: issue.fullDatabaseId ?? '',
    createdAt: checkTime('createdAt', issue.createdAt),
    closedAt: issue.closedAt === null ? null : checkTime('closedAt', issue.closedAt),
    author: normalizeActor(issue.author),
    labels: normalizeLabels(issue.labels),
    reopened: {
      nodes: omitNulls(issue.reopened.nodes).filter(
        ({ createdAt }) => parseFirstTime(createdAt) !== undefined,
      ),
    },
    comments: { totalCount: issue.comments.totalCount, nodes: comments },
  };
  return ok({ answer, oddities });
}

/** Returns `input.invalid` with the exact path if the response is not a well-formed comment. */
export function readCommentAnswer(raw: unknown): Result<GithubComment> {
  const read = decode(commentAnswer, raw, 'comment');
  if (!read.ok) return read;
  const { fullDatabaseId, createdAt, author } = read.value;
  return ok({
    ...read.value,
    fullDatabaseId: /^\d+$/.test(fullDatabaseId ?? '') ? (fullDatabaseId ?? '') : '',
    createdAt: parseFirstTime(createdAt) === undefined ? NO_TIME : createdAt,
    author: normalizeActor(author),
  });
}

/** Reads a further page of an issue's labels. */
export function readLabels(raw: unknown): Result<GithubIssue['labels']> {
  const read = decode(labelsAnswer, raw, 'labels');
  return read.ok ? ok(normalizeLabels(read.value)) : read;
}

function normalizeLabels(labels: ReturnType<typeof labelsAnswer.parse>): GithubIssue['labels'] {
  if (labels === null) return null;
  const named = omitNulls(labels.nodes).map(({ id, name }) => ({ id, name: toPlainLine(name) }));
  return { pageInfo: labels.pageInfo, nodes: named.filter(({ name }) => name !== '') };
}

function normalizeActor(actor: GithubActor | null): GithubActor | null {
  const login = toPlainLine(actor?.login ?? '');
  return login === '' || actor === null ? null : { __typename: actor.__typename, login };
}

function omitNulls<T>(nodes: readonly (T | null)[] | null): readonly T[] {
  return (nodes ?? []).filter((node) => node !== null);
}

/** Returns the issue's name as people write it, if it is readable. */
function describeRawIssue(raw: unknown): string {
  const { number, repository } = (raw ?? {}) as Partial<GithubIssue>;
  const [owner, name] = [repository?.owner?.login, repository?.name].map((part) =>
    typeof part === 'string' && /^[\w.-]{1,100}$/.test(part) ? part : undefined,
  );
  if (typeof number !== 'number' || !isGithubNumber(number) || owner === undefined || name === undefined)
    return 'issue';
  return `${owner}/${name}#${number}`;
}

/**
 * A board item with the content fields of a digest. On a page that was read in full, the content is
 * the whole issue.
 */
type BoardItem = NonNullable<NonNullable<DigestPageFragment['nodes']>[number]>;

export type IssueHead = Extract<BoardItem['content'], { readonly __typename: 'Issue' }>;

/**
 * Validates board items. Leaves malformed items out and reports them. Drops null items, which
 * GitHub includes in its count but does not show.
 */
export function readPage(page: DigestPageFragment): ParsedBoardPage {
  const malformed: string[] = [];
  const nodes = (page.nodes ?? []).flatMap((node) => {
    if (node === null) return [];
    const problem = findItemProblem(node);
    if (problem !== undefined) malformed.push(problem);
    return problem === undefined ? [node] : [];
  });
  return { ...page, nodes, malformed };
}

/** Returns the valid board items of one issue. */
export function readItems<T extends ItemPartsFragment>(nodes: readonly (T | null)[] | null): readonly T[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.filter((node) => node !== null && findItemProblem(node) === undefined) as T[];
}

function findItemProblem(node: ItemPartsFragment & { readonly content?: unknown }): string | undefined {
  const read = decode(itemAnswer, node, 'item');
  if (!read.ok) return read.fault.message;
  const { content = null } = node;
  if (content === null) return undefined;
  const { __typename: type, id } = content as Partial<IssueHead>;
  if (typeof content !== 'object' || typeof type !== 'string')
    return 'item.content: is not an issue, draft or pull request';
  return type === 'Issue' && (typeof id !== 'string' || id === '')
    ? 'item.content.id: is not an issue id'
    : undefined;
}

const name = z.string().min(1);

const number = z.number().refine(isGithubNumber, 'is not a valid issue number');

/** GitHub's schema allows a list, and each of its entries, to be null. */
function defineNodesSchema<T>(entry: z.ZodType<T>) {
  return z.array(entry.nullable()).nullable();
}

const actor = z.object({ __typename: z.string(), login: z.string() }).nullable();

const repository = z.object({ id: name, name, owner: z.object({ login: name }) });

const labelsAnswer = z
  .object({
    nodes: defineNodesSchema(z.object({ id: name, name: z.string() })),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  })
  .nullable();

/**
 * Times are plain strings, because an invalid time is replaced and reported. Comments are validated
 * one by one.
 */
const issueAnswer = z.looseObject({
  id: name,
  fullDatabaseId: z.coerce.string().nullable(),
  number,
  title: z.string(),
  body: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().nullable(),
  authorAssociation: z.string(),
  author: actor,
  repository,
  labels: labelsAnswer,
  parent: z.object({ number, repository }).nullable(),
  reopened: z.object({ nodes: defineNodesSchema(z.object({ createdAt: z.string() })) }),
  comments: z.object({ totalCount: z.number(), nodes: defineNodesSchema(z.unknown()) }),
});

const commentAnswer = z.looseObject({
  id: name,
  fullDatabaseId: z.coerce.string().nullable(),
  createdAt: z.string(),
  body: z.string(),
  authorAssociation: z.string(),
  author: actor,
});

/** An issue that Legion may have created. */
export const createdIssueAnswer = z.object({
  id: name,
  number,
  body: z.string(),
  updatedAt: z.string(),
  author: actor,
  repository,
});

const value = z.object({ optionId: z.string().nullish(), updatedAt: z.string().optional() }).nullable();

/** The item without its content, because the issue is validated separately. */
const itemAnswer = z.looseObject({
  id: name,
  isArchived: z.boolean(),
  type: z.string(),
  createdAt: z.string(),
  status: value,
  priority: value,
});

/** The last closing event of an issue. */
export const closedAnswer = z.object({
  nodes: defineNodesSchema(z.object({ actor, closer: z.object({ __typename: z.string() }).nullable() })),
});

/**
 * The fields of the issue are absent if the node is no longer an issue. Comments are validated one
 * by one.
 */
export const commentsPage = z.object({
  projectItems: z
    .object({
      nodes: defineNodesSchema(z.object({ isArchived: z.boolean(), project: z.object({ id: name }) })),
    })
    .optional(),
  comments: z
    .object({
      pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() }),
      nodes: defineNodesSchema(z.unknown()),
    })
    .optional(),
});

/** The fields that show whether a blocker has ended. */
export const blockerAnswer = z
  .object({
    id: name.optional(),
    closed: z.boolean().optional(),
    projectItems: z
      .object({
        nodes: defineNodesSchema(
          z.object({
            isArchived: z.boolean(),
            project: z.object({ id: name }),
            status: z.object({ name: z.string().nullish() }).nullable(),
          }),
        ),
      })
      .optional(),
  })
  .nullish();

export interface ParsedBoardPage extends Omit<DigestPageFragment, 'nodes'> {
  readonly nodes: readonly BoardItem[];
  /** One error per malformed item. Such items are left out. */
  readonly malformed: readonly string[];
}
