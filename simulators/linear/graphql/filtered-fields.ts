/** Lists the fields that can be filtered, and how to read them. */
import type {
  Attachment,
  Comment,
  Issue,
  IssueLabel,
  LinearNode,
  NodeName,
  Project,
  Team,
  User,
  WorkflowState,
} from '../model/nodes.ts';
import type { LinearResolverContext } from './context.ts';

type FieldReader = (node: never, context: LinearResolverContext) => unknown;

const BASE = {
  id: ({ id }: LinearNode) => id,
  createdAt: ({ createdAt }: LinearNode) => createdAt,
  updatedAt: ({ updatedAt }: LinearNode) => updatedAt,
};

/**
 * Reads each field that can be filtered: a node, a list of nodes, or a value to compare. Undefined
 * if the field is empty.
 */
export const FILTERED: Readonly<Partial<Record<NodeName, Readonly<Record<string, FieldReader>>>>> = {
  Issue: {
    ...BASE,
    archivedAt: ({ archivedAt }: Issue) => archivedAt,
    startedAt: ({ startedAt }: Issue) => startedAt,
    completedAt: ({ completedAt }: Issue) => completedAt,
    canceledAt: ({ canceledAt }: Issue) => canceledAt,
    triagedAt: ({ triagedAt }: Issue) => triagedAt,
    number: ({ number }: Issue) => number,
    title: ({ title }: Issue) => title,
    description: ({ description }: Issue) => description,
    priority: ({ priority }: Issue) => priority,
    estimate: ({ estimate }: Issue) => estimate,
    team: ({ team }: Issue) => team,
    state: ({ state }: Issue) => state,
    labels: ({ labels }: Issue) => labels,
    assignee: ({ assignee }: Issue) => assignee,
    creator: ({ creator }: Issue) => creator,
    project: ({ project }: Issue) => project,
    parent: ({ parent }: Issue) => parent,
    children: (issue: Issue, { world }: LinearResolverContext) =>
      world.all('Issue').filter(({ parent }) => parent === issue),
    comments: (issue: Issue, { world }: LinearResolverContext) =>
      world.all('Comment').filter((each) => each.issue === issue),
    attachments: (issue: Issue, { world }: LinearResolverContext) =>
      world.all('Attachment').filter((each) => each.issue === issue),
    hasBlockedByRelations: (issue: Issue, { world }: LinearResolverContext) =>
      world.all('IssueRelation').some(({ kind, related }) => kind === 'blocks' && related === issue),
    hasBlockingRelations: (issue: Issue, { world }: LinearResolverContext) =>
      world.all('IssueRelation').some((each) => each.kind === 'blocks' && each.issue === issue),
  },
  Team: {
    ...BASE,
    key: ({ key }: Team) => key,
    name: ({ name }: Team) => name,
    private: ({ private: closed }: Team) => closed,
    members: ({ members }: Team) => [...members],
  },
  WorkflowState: {
    ...BASE,
    name: ({ name }: WorkflowState) => name,
    type: ({ kind }: WorkflowState) => kind,
    position: ({ position }: WorkflowState) => position,
    team: ({ team }: WorkflowState) => team,
  },
  IssueLabel: {
    ...BASE,
    name: ({ name }: IssueLabel) => name,
    isGroup: ({ isGroup }: IssueLabel) => isGroup,
    team: ({ team }: IssueLabel) => team,
    parent: ({ parent }: IssueLabel) => parent,
    creator: ({ creator }: IssueLabel) => creator,
  },
  User: {
    ...BASE,
    name: ({ name }: User) => name,
    displayName: ({ name }: User) => name.toLowerCase(),
    email: ({ email }: User) => email,
    active: ({ active }: User) => active,
    app: ({ app }: User) => app,
    isMe: (user: User, { credential }: LinearResolverContext) => credential.user === user,
  },
  Project: { ...BASE, name: ({ name }: Project) => name, accessibleTeams: ({ teams }: Project) => teams },
  Comment: {
    ...BASE,
    body: ({ body }: Comment) => body,
    issue: ({ issue }: Comment) => issue,
    parent: ({ parent }: Comment) => parent,
    user: ({ user }: Comment) => user,
  },
  Attachment: {
    ...BASE,
    url: ({ url }: Attachment) => url,
    title: ({ title }: Attachment) => title,
    subtitle: ({ subtitle }: Attachment) => subtitle,
    creator: ({ creator }: Attachment) => creator,
  },
};
