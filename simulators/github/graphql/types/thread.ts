/** Fields of what hangs on issues and pull requests alike: comments, labels, and that they were closed or opened again. */
import { association } from '../../model/access.ts';
import type { CommentNode, Issue, Label, PullRequest, StateEvent } from '../../model/nodes.ts';
import { connection, type Page } from '../connection.ts';
import type { Context, Resolver, Table } from '../context.ts';
import { time } from '../shape.ts';
import { repositoryPath, threadPath } from './urls.ts';

type Thread = Issue | PullRequest;

/** What an issue and a pull request have in common. */
export const ANY_THREAD: Readonly<Record<string, Resolver>> = {
  id: (it: Thread) => it.id,
  databaseId: (it: Thread) => it.databaseId,
  fullDatabaseId: (it: Thread) => String(it.databaseId),
  number: (it: Thread) => it.number,
  title: (it: Thread) => it.title,
  body: (it: Thread) => it.body,
  bodyText: (it: Thread) => it.body,
  author: (it: Thread) => it.author,
  authorAssociation: (it: Thread) => association(it.repository, it.author),
  repository: (it: Thread) => it.repository,
  state: (it: Thread) => it.state,
  closed: (it: Thread) => it.state !== 'OPEN',
  closedAt: (it: Thread) => time(it.closedAt),
  createdAt: (it: Thread) => time(it.createdAt),
  publishedAt: (it: Thread) => time(it.createdAt),
  updatedAt: (it: Thread) => time(it.updatedAt),
  locked: () => false,
  url: (it: Thread, _: unknown, { url }: Context) => `${url}${threadPath(it)}`,
  resourcePath: (it: Thread) => threadPath(it),
  viewerDidAuthor: (it: Thread, _: unknown, { token }: Context) => it.author === token.account,
  labels: (it: Thread, page: Page) => connection('LabelConnection', [...it.labels].sort(older), page),
  comments: (it: Thread, page: Page & { orderBy?: { direction: string } | null }) =>
    connection(
      'IssueCommentConnection',
      page.orderBy?.direction === 'DESC' ? it.comments.toReversed() : it.comments,
      page,
    ),
  projectItems: (it: Thread, page: Page & { includeArchived?: boolean }, { world }: Context) => {
    const items = world.projects.flatMap((project) => project.items);
    const mine = items.filter(
      (item) => item.content === it && (page.includeArchived !== false || !item.archived),
    );
    return connection('ProjectV2ItemConnection', mine, page);
  },
  assignees: (_: Thread, page: Page) => connection('UserConnection', [], page),
};

const EVENT: Readonly<Record<string, Resolver>> = {
  id: (it: StateEvent) => it.id,
  actor: (it: StateEvent) => it.actor,
  closable: (it: StateEvent) => it.on,
  createdAt: (it: StateEvent) => time(it.createdAt),
};

export const THREAD: Table = {
  IssueComment: {
    id: (it: CommentNode) => it.id,
    databaseId: (it: CommentNode) => it.databaseId,
    fullDatabaseId: (it: CommentNode) => String(it.databaseId),
    author: (it: CommentNode) => it.author,
    authorAssociation: (it: CommentNode) => association(it.on.repository, it.author),
    body: (it: CommentNode) => it.body,
    bodyText: (it: CommentNode) => it.body,
    createdAt: (it: CommentNode) => time(it.createdAt),
    publishedAt: (it: CommentNode) => time(it.createdAt),
    updatedAt: (it: CommentNode) => time(it.updatedAt),
    lastEditedAt: (it: CommentNode) => (it.updatedAt === it.createdAt ? null : time(it.updatedAt)),
    isMinimized: () => false,
    repository: (it: CommentNode) => it.on.repository,
    issue: (it: CommentNode) => it.on,
    pullRequest: (it: CommentNode) => (it.on.type === 'PullRequest' ? it.on : null),
    viewerDidAuthor: (it: CommentNode, _: unknown, { token }: Context) => it.author === token.account,
    url: (it: CommentNode, _: unknown, { url }: Context) =>
      `${url}${threadPath(it.on)}#issuecomment-${it.databaseId}`,
  },
  Label: {
    id: (it: Label) => it.id,
    name: (it: Label) => it.name,
    color: (it: Label) => it.color,
    description: (it: Label) => it.description,
    isDefault: () => false,
    createdAt: (it: Label) => time(it.createdAt),
    repository: (it: Label) => it.repository,
    url: (it: Label, _: unknown, { url }: Context) =>
      `${url}${repositoryPath(it.repository)}/labels/${encodeURIComponent(it.name)}`,
  },
  ClosedEvent: { ...EVENT, closer: (it: StateEvent) => it.closer ?? null },
  ReopenedEvent: EVENT,
};

function older(a: Label, b: Label): number {
  return a.databaseId - b.databaseId;
}
