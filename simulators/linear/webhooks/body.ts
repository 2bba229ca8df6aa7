/** Builds the webhook body for a change, with the fields that Linear's SDK declares. */
import { buildCommentUrl, buildIssueUrl, buildProfileUrl, PRIORITIES } from '../graphql/wording.ts';
import type { LinearChange } from '../model/change.ts';
import {
  type Attachment,
  type Comment,
  type ExternalUser,
  formatIdentifier,
  type Issue,
  type IssueLabel,
  type LinearNode,
  type User,
} from '../model/nodes.ts';
import type { LinearWorld } from '../model/world.ts';

export function buildWebhookBody(
  { action, node, by, updatedFrom }: LinearChange,
  world: LinearWorld,
  url: string,
): object {
  return {
    action,
    type: node.node,
    createdAt: formatIsoTime(world.now()),
    organizationId: world.organization.id,
    actor: toActor(by, url),
    data: toNodeData(node, url),
    ...(updatedFrom === undefined || action !== 'update'
      ? {}
      : { updatedFrom: toPreviousValues(updatedFrom) }),
    ...(node.node === 'IssueLabel' ? {} : { url: buildPageUrl(node, url) }),
  };
}

function buildPageUrl(node: Issue | Comment | Attachment, url: string): string {
  if (node.node === 'Comment') return buildCommentUrl(node, url);
  return buildIssueUrl(node.node === 'Issue' ? node : node.issue, url);
}

function toActor(by: User | ExternalUser | undefined, url: string): object | null {
  if (by === undefined) return null;
  if (by.node === 'ExternalUser') return { id: by.id, name: by.name, email: '', type: 'externalUser' };
  return { ...toChildUser(by, url), type: by.app ? 'OauthClient' : 'user' };
}

function toNodeData(node: LinearChange['node'], url: string): object {
  switch (node.node) {
    case 'Issue':
      return toIssueData(node, url);
    case 'Comment':
      return toCommentData(node, url);
    case 'IssueLabel':
      return toLabelData(node);
    case 'Attachment':
      return toAttachmentData(node);
  }
}

function toIssueData(issue: Issue, url: string): object {
  const { id, name, color, kind } = issue.state;
  const { number, title, description, priority, previousIdentifiers, labels, assignee, creator } = issue;
  return {
    ...toNodeTimes(issue),
    number,
    title,
    priority,
    previousIdentifiers,
    identifier: formatIdentifier(issue),
    priorityLabel: PRIORITIES[priority],
    url: buildIssueUrl(issue, url),
    state: { id, name, color, type: kind },
    stateId: id,
    ...toChildTeam(issue),
    labelIds: labels.map((label) => label.id),
    labels: labels.map((label) => ({
      id: label.id,
      name: label.name,
      color: label.color,
      parentId: label.parent?.id,
    })),
    ...(description === undefined ? {} : { description }),
    ...(assignee === undefined ? {} : { assigneeId: assignee.id, assignee: toChildUser(assignee, url) }),
    ...(creator === undefined ? {} : { creatorId: creator.id, creator: toChildUser(creator, url) }),
    ...(issue.project === undefined
      ? {}
      : { projectId: issue.project.id, project: { id: issue.project.id, name: issue.project.name } }),
    ...(issue.parent === undefined ? {} : { parentId: issue.parent.id }),
    ...(issue.trashed ? { trashed: true } : {}),
    ...toProgressTimes(issue),
    sortOrder: 0,
    prioritySortOrder: 0,
    subscriberIds: [],
    reactionData: [],
    releases: [],
  };
}

/** Returns the times of the state changes that have happened. */
function toProgressTimes({ startedAt, completedAt, canceledAt, triagedAt }: Issue): object {
  const known = Object.entries({ startedAt, completedAt, canceledAt, triagedAt });
  return Object.fromEntries(
    known.flatMap(([name, at]) => (at === undefined ? [] : [[name, formatIsoTime(at)]])),
  );
}

function toCommentData({ issue, parent, body, user, external, ...comment }: Comment, url: string): object {
  return {
    ...toNodeTimes(comment),
    body,
    issueId: issue.id,
    issue: {
      id: issue.id,
      identifier: formatIdentifier(issue),
      title: issue.title,
      url: buildIssueUrl(issue, url),
      ...toChildTeam(issue),
    },
    ...(parent === undefined ? {} : { parentId: parent.id }),
    ...(user === undefined ? {} : { userId: user.id, user: toChildUser(user, url) }),
    ...(external === undefined
      ? {}
      : { externalUserId: external.id, externalUser: { id: external.id, name: external.name, email: '' } }),
    reactionData: [],
  };
}

function toLabelData({
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
  return { ...toNodeTimes(label), name, color, isGroup, description, ...ids };
}

function toAttachmentData({
  url,
  title,
  subtitle,
  metadata,
  issue,
  creator,
  ...attachment
}: Attachment): object {
  const rest = { issueId: issue.id, creatorId: creator?.id, groupBySource: false };
  return { ...toNodeTimes(attachment), url, title, subtitle, metadata, ...rest };
}

function toChildUser(user: User, url: string): object {
  return { id: user.id, name: user.name, email: user.email, url: buildProfileUrl(user, url) };
}

function toChildTeam({ team }: Issue): object {
  return { teamId: team.id, team: { id: team.id, key: team.key, name: team.name } };
}

type TimedNode = Pick<LinearNode, 'id' | 'createdAt' | 'updatedAt' | 'archivedAt'>;

function toNodeTimes({ id, createdAt, updatedAt, archivedAt }: TimedNode): object {
  return {
    id,
    createdAt: formatIsoTime(createdAt),
    updatedAt: formatIsoTime(updatedAt),
    ...(archivedAt === undefined ? {} : { archivedAt: formatIsoTime(archivedAt) }),
  };
}

/** Formats previous values: nodes by their ids, times as text, and null for empty values. */
function toPreviousValues(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, unknown] => {
      if (name.endsWith('At')) return [name, typeof value === 'number' ? formatIsoTime(value) : null];
      if (name === 'labels') return ['labelIds', (value as readonly LinearNode[]).map(({ id }) => id)];
      if (['state', 'team', 'assignee', 'project', 'parent'].includes(name)) {
        return [`${name}Id`, (value as LinearNode | undefined)?.id ?? null];
      }
      return [name, value ?? null];
    }),
  );
}

function formatIsoTime(time: number): string {
  return new Date(time).toISOString();
}
