/**
 * Resolves fields that issues and pull requests share: comments, labels, and close and reopen
 * events.
 */
import { getAuthorAssociation } from '../../model/access.ts';
import type { CommentNode, Issue, Label, PullRequest, StateEvent } from '../../model/nodes.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { GithubResolver, GithubResolverContext, GithubResolverTable } from '../context.ts';
import { formatGithubTime } from '../shape.ts';
import { toRepositoryPath, toThreadPath } from './urls.ts';

type CommonThread = Issue | PullRequest;

/** Fields that issues and pull requests have in common. */
export const ANY_THREAD: Readonly<Record<string, GithubResolver>> = {
  id: (it: CommonThread) => it.id,
  databaseId: (it: CommonThread) => it.databaseId,
  fullDatabaseId: (it: CommonThread) => String(it.databaseId),
  number: (it: CommonThread) => it.number,
  title: (it: CommonThread) => it.title,
  body: (it: CommonThread) => it.body,
  bodyText: (it: CommonThread) => it.body,
  author: (it: CommonThread) => it.author,
  authorAssociation: (it: CommonThread) => getAuthorAssociation(it.repository, it.author),
  repository: (it: CommonThread) => it.repository,
  state: (it: CommonThread) => it.state,
  closed: (it: CommonThread) => it.state !== 'OPEN',
  closedAt: (it: CommonThread) => formatGithubTime(it.closedAt),
  createdAt: (it: CommonThread) => formatGithubTime(it.createdAt),
  publishedAt: (it: CommonThread) => formatGithubTime(it.createdAt),
  updatedAt: (it: CommonThread) => formatGithubTime(it.updatedAt),
  locked: () => false,
  url: (it: CommonThread, _: unknown, { url }: GithubResolverContext) => `${url}${toThreadPath(it)}`,
  resourcePath: (it: CommonThread) => toThreadPath(it),
  viewerDidAuthor: (it: CommonThread, _: unknown, { token }: GithubResolverContext) =>
    it.author === token.account,
  labels: (it: CommonThread, page: PageArguments) =>
    buildConnection('LabelConnection', [...it.labels].sort(compareLabelAge), page),
  comments: (it: CommonThread, page: PageArguments & { orderBy?: { direction: string } | null }) =>
    buildConnection(
      'IssueCommentConnection',
      page.orderBy?.direction === 'DESC' ? it.comments.toReversed() : it.comments,
      page,
    ),
  projectItems: (
    it: CommonThread,
    page: PageArguments & { includeArchived?: boolean },
    { world }: GithubResolverContext,
  ) => {
    const items = world.projects.flatMap((project) => project.items);
    const mine = items.filter(
      (item) => item.content === it && (page.includeArchived !== false || !item.archived),
    );
    return buildConnection('ProjectV2ItemConnection', mine, page);
  },
  assignees: (_: CommonThread, page: PageArguments) => buildConnection('UserConnection', [], page),
};

const EVENT: Readonly<Record<string, GithubResolver>> = {
  id: (it: StateEvent) => it.id,
  actor: (it: StateEvent) => it.actor,
  closable: (it: StateEvent) => it.on,
  createdAt: (it: StateEvent) => formatGithubTime(it.createdAt),
};

export const THREAD: GithubResolverTable = {
  IssueComment: {
    id: (it: CommentNode) => it.id,
    databaseId: (it: CommentNode) => it.databaseId,
    fullDatabaseId: (it: CommentNode) => String(it.databaseId),
    author: (it: CommentNode) => it.author,
    authorAssociation: (it: CommentNode) => getAuthorAssociation(it.on.repository, it.author),
    body: (it: CommentNode) => it.body,
    bodyText: (it: CommentNode) => it.body,
    createdAt: (it: CommentNode) => formatGithubTime(it.createdAt),
    publishedAt: (it: CommentNode) => formatGithubTime(it.createdAt),
    updatedAt: (it: CommentNode) => formatGithubTime(it.updatedAt),
    lastEditedAt: (it: CommentNode) =>
      it.updatedAt === it.createdAt ? null : formatGithubTime(it.updatedAt),
    isMinimized: () => false,
    repository: (it: CommentNode) => it.on.repository,
    issue: (it: CommentNode) => it.on,
    pullRequest: (it: CommentNode) => (it.on.type === 'PullRequest' ? it.on : null),
    viewerDidAuthor: (it: CommentNode, _: unknown, { token }: GithubResolverContext) =>
      it.author === token.account,
    url: (it: CommentNode, _: unknown, { url }: GithubResolverContext) =>
      `${url}${toThreadPath(it.on)}#issuecomment-${it.databaseId}`,
  },
  Label: {
    id: (it: Label) => it.id,
    name: (it: Label) => it.name,
    color: (it: Label) => it.color,
    description: (it: Label) => it.description,
    isDefault: () => false,
    createdAt: (it: Label) => formatGithubTime(it.createdAt),
    repository: (it: Label) => it.repository,
    url: (it: Label, _: unknown, { url }: GithubResolverContext) =>
      `${url}${toRepositoryPath(it.repository)}/labels/${encodeURIComponent(it.name)}`,
  },
  ClosedEvent: { ...EVENT, closer: (it: StateEvent) => it.closer ?? null },
  ReopenedEvent: EVENT,
};

function compareLabelAge(a: Label, b: Label): number {
  return a.databaseId - b.databaseId;
}
