/** Implements the mutations of issues. */
import {
  archiveIssue,
  createIssue,
  deleteIssue,
  type IssueChange,
  unarchiveIssue,
  updateIssue,
} from '../../model/issues.ts';
import type { IssueLabel } from '../../model/nodes.ts';
import { toForbidden, toInvalidInput } from '../../model/refusal.ts';
import type { LinearResolverContext } from '../context.ts';
import { defineMutation, find, findIssue, findOr, findTeam } from './define.ts';

/** Linear's documented limit. */
const MAX_BATCH_SIZE = 50;

interface IssueInputFields {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly stateId?: string | null;
  readonly labelIds?: readonly string[] | null;
  readonly priority?: number | null;
  readonly estimate?: number | null;
  readonly dueDate?: string | null;
  readonly assigneeId?: string | null;
  readonly projectId?: string | null;
  readonly parentId?: string | null;
}

interface UpdateInput extends IssueInputFields {
  readonly addedLabelIds?: readonly string[] | null;
  readonly removedLabelIds?: readonly string[] | null;
  readonly teamId?: string | null;
}

interface CreateInput extends IssueInputFields {
  readonly id?: string | null;
  readonly teamId: string;
}

export const ISSUE_MUTATIONS = {
  ...defineMutation<{ readonly input: CreateInput }>('issueCreate', ({ input }, context) => {
    const { world, credential } = context;
    const team = findTeam(context, input.teamId);
    const { assignee, project, parent, labels, state, ...fields } = read(context, input);
    const issue = createIssue(world, { user: credential.user }, team, {
      ...fields,
      id: input.id,
      title: fields.title ?? '',
      state,
      labels: labels?.set,
      assignee: assignee ?? undefined,
      project: project ?? undefined,
      parent: parent ?? undefined,
    });
    return { issue };
  }),
  ...defineMutation<{ readonly id: string; readonly input: UpdateInput }>(
    'issueUpdate',
    ({ id, input }, context) => {
      const issue = findIssue(context, id);
      updateIssue(context.world, context.credential.user, issue, toIssueChange(context, input));
      return { issue };
    },
  ),
  ...defineMutation<{ readonly ids: readonly string[]; readonly input: UpdateInput }>(
    'issueBatchUpdate',
    ({ ids, input }, context) => {
      if (ids.length > MAX_BATCH_SIZE)
        throw toInvalidInput(`ids must contain no more than ${MAX_BATCH_SIZE} elements`);
      const issues = ids.map((id) => find(context, 'Issue', id));
      const change = toIssueChange(context, input);
      for (const issue of issues) updateIssue(context.world, context.credential.user, issue, change);
      return { issues };
    },
  ),
  ...defineMutation<{ readonly id: string; readonly labelId: string }>(
    'issueAddLabel',
    ({ id, labelId }, context) => {
      const issue = findIssue(context, id);
      const add = [find(context, 'IssueLabel', labelId)];
      updateIssue(context.world, context.credential.user, issue, { labels: { add } });
      return { issue };
    },
  ),
  ...defineMutation<{ readonly id: string; readonly labelId: string }>(
    'issueRemoveLabel',
    ({ id, labelId }, context) => {
      const issue = findIssue(context, id);
      const remove = [find(context, 'IssueLabel', labelId)];
      updateIssue(context.world, context.credential.user, issue, { labels: { remove } });
      return { issue };
    },
  ),
  ...defineMutation<{ readonly id: string; readonly trash?: boolean | null }>(
    'issueArchive',
    ({ id, trash }, context) => {
      const issue = findIssue(context, id);
      archiveIssue(context.world, context.credential.user, issue, trash ?? false);
      return { node: 'IssueArchivePayload', entity: issue };
    },
  ),
  ...defineMutation<{ readonly id: string }>('issueUnarchive', ({ id }, context) => {
    const issue = findIssue(context, id);
    unarchiveIssue(context.world, context.credential.user, issue);
    return { node: 'IssueArchivePayload', entity: issue };
  }),
  ...defineMutation<{ readonly id: string; readonly permanentlyDelete?: boolean | null }>(
    'issueDelete',
    ({ id, permanentlyDelete }, context) => {
      const issue = findIssue(context, id);
      if (permanentlyDelete !== true) {
        archiveIssue(context.world, context.credential.user, issue, true);
        return { node: 'IssueArchivePayload', entity: issue };
      }
      // Requires a key with the admin scope, because the simulator has no other administrators.
      if (context.credential.scopes?.includes('admin') !== true)
        throw toForbidden('Only admins can delete permanently');
      deleteIssue(context.world, context.credential.user, issue);
      return { node: 'IssueArchivePayload', entity: null };
    },
  ),
};

function toIssueChange(context: LinearResolverContext, input: UpdateInput): IssueChange {
  const { labels, ...change } = read(context, input);
  const add = findLabels(context, input.addedLabelIds);
  const remove = findLabels(context, input.removedLabelIds);
  const team = findOr(input.teamId, (id) => findTeam(context, id)) ?? undefined;
  const any = labels ?? add ?? remove;
  return { ...change, team, labels: any === undefined ? undefined : { ...labels, add, remove } };
}

function read(context: LinearResolverContext, input: IssueInputFields) {
  const set = findLabels(context, input.labelIds);
  return {
    title: input.title,
    description: input.description,
    priority: input.priority,
    estimate: input.estimate,
    dueDate: input.dueDate,
    state: findOr(input.stateId, (id) => find(context, 'WorkflowState', id)) ?? undefined,
    labels: set === undefined ? undefined : { set },
    assignee: findOr(input.assigneeId, (id) => find(context, 'User', id)),
    project: findOr(input.projectId, (id) => find(context, 'Project', id)),
    parent: findOr(input.parentId, (id) => findIssue(context, id)),
  };
}

function findLabels(
  context: LinearResolverContext,
  ids: readonly string[] | null | undefined,
): IssueLabel[] | undefined {
  return ids?.map((id) => find(context, 'IssueLabel', id));
}
