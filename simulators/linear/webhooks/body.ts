/** What a webhook says of a change, in the fields that Linear's SDK declares for it. */
import { commentUrl, issueUrl, PRIORITIES, profileUrl } from '../graphql/wording.ts';
import type { Change } from '../model/change.ts';
import {
  type Attachment,
  type Comment,
  type ExternalUser,
  type Issue,
  type IssueLabel,
  identifierOf,
  type LinearNode,
  type User,
} from '../model/nodes.ts';
import type { World } from '../model/world.ts';

export function bodyOf({ action, node, by, updatedFrom }: Change, world: World, url: string): object {
  return {
    action,
    type: node.node,
    createdAt: written(world.now()),
    organizationId: world.organization.id,
    actor: actorOf(by, url),
    data: dataOf(node, url),
    ...(updatedFrom === undefined || action !== 'update' ? {} : { updatedFrom: before(updatedFrom) }),
    ...(node.node === 'IssueLabel' ? {} : { url: pageOf(node, url) }),
  };
}

function pageOf(node: Issue | Comment | Attachment, url: string): string {
  if (node.node === 'Comment') return commentUrl(node, url);
  return issueUrl(node.node === 'Issue' ? node : node.issue, url);
}

function actorOf(by: User | ExternalUser | undefined, url: string): object | null {
  if (by === undefined) return null;
  if (by.node === 'ExternalUser') return { id: by.id, name: by.name, email: '', type: 'externalUser' };
  return { ...childUser(by, url), type: by.app ? 'OauthClient' : 'user' };
}

function dataOf(node: Change['node'], url: string): object {
  switch (node.node) {
    case 'Issue':
      return issueData(node, url);
    case 'Comment':
      return commentData(node, url);
    case 'IssueLabel':
      return labelData(node);
    case 'Attachment':
      return attachmentData(node);
  }
}

function issueData(issue: Issue, url: string): object {
  const { id, name, color, kind } = issue.state;
  const { number, title, description, priority, previousIdentifiers, labels, assignee, creator } = issue;
  return {
    ...times(issue),
    number,
    title,
    priority,
    previousIdentifiers,
    identifier: identifierOf(issue),
    priorityLabel: PRIORITIES[priority],
    url: issueUrl(issue, url),
    state: { id, name, color, type: kind },
    stateId: id,
    ...childTeam(issue),
    labelIds: labels.map((label) => label.id),
    labels: labels.map((label) => ({
      id: label.id,
      name: label.name,
      color: label.color,
      parentId: label.parent?.id,
    })),
    ...(description === undefined ? {} : { description }),
    ...(assignee === undefined ? {} : { assigneeId: assignee.id, assignee: childUser(assignee, url) }),
    ...(creator === undefined ? {} : { creatorId: creator.id, creator: childUser(creator, url) }),
    ...(issue.project === undefined
      ? {}
      : { projectId: issue.project.id, project: { id: issue.project.id, name: issue.project.name } }),
    ...(issue.parent === undefined ? {} : { parentId: issue.parent.id }),
    ...(issue.trashed ? { trashed: true } : {}),
    ...timesOfProgress(issue),
    sortOrder: 0,
    prioritySortOrder: 0,
    subscriberIds: [],
    reactionData: [],
    releases: [],
  };
}

/** Only what has happened has a time. */
function timesOfProgress({ startedAt, completedAt, canceledAt, triagedAt }: Issue): object {
  const known = Object.entries({ startedAt, completedAt, canceledAt, triagedAt });
  return Object.fromEntries(known.flatMap(([name, at]) => (at === undefined ? [] : [[name, written(at)]])));
}

function commentData({ issue, parent, body, user, external, ...comment }: Comment, url: string): object {
  return {
    ...times(comment),
    body,
    issueId: issue.id,
    issue: {
      id: issue.id,
      identifier: identifierOf(issue),
      title: issue.title,
      url: issueUrl(issue, url),
      ...childTeam(issue),
    },
    ...(parent === undefined ? {} : { parentId: parent.id }),
    ...(user === undefined ? {} : { userId: user.id, user: childUser(user, url) }),
    ...(external === undefined
      ? {}
      : { externalUserId: external.id, externalUser: { id: external.id, name: external.name, email: '' } }),
    reactionData: [],
  };
}

function labelData({
  name,
  color,
  isGroup,
  team,
  parent,
  creator,
  description,
  ...label
}: IssueLabel): object {
  const ids = { teamId: team?.id, parentId: parent?.id, creatorId: creator?.id };
  return { ...times(label), name, color, isGroup, description, ...ids };
}

function attachmentData({
  url,
  title,
  subtitle,
  metadata,
  issue,
  creator,
  ...attachment
}: Attachment): object {
  const rest = { issueId: issue.id, creatorId: creator?.id, groupBySource: false };
  return { ...times(attachment), url, title, subtitle, metadata, ...rest };
}

function childUser(user: User, url: string): object {
  return { id: user.id, name: user.name, email: user.email, url: profileUrl(user, url) };
}

function childTeam({ team }: Issue): object {
  return { teamId: team.id, team: { id: team.id, key: team.key, name: team.name } };
}

type Timed = Pick<LinearNode, 'id' | 'createdAt' | 'updatedAt' | 'archivedAt'>;

function times({ id, createdAt, updatedAt, archivedAt }: Timed): object {
  return {
    id,
    createdAt: written(createdAt),
    updatedAt: written(updatedAt),
    ...(archivedAt === undefined ? {} : { archivedAt: written(archivedAt) }),
  };
}

/** What it was before: nodes by their ids, times as texts, and null for what was empty. */
function before(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, unknown] => {
      if (name.endsWith('At')) return [name, typeof value === 'number' ? written(value) : null];
      if (name === 'labels') return ['labelIds', (value as readonly LinearNode[]).map(({ id }) => id)];
      if (['state', 'team', 'assignee', 'project', 'parent'].includes(name)) {
        return [`${name}Id`, (value as LinearNode | undefined)?.id ?? null];
      }
      return [name, value ?? null];
    }),
  );
}

function written(time: number): string {
  return new Date(time).toISOString();
}
