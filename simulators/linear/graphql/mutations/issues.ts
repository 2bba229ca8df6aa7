/** Mutations of issues. */
import {
  archiveIssue,
  createIssue,
  deleteIssue,
  type IssueChange,
  unarchiveIssue,
  updateIssue,
} from '../../model/issues.ts';
import type { IssueLabel } from '../../model/nodes.ts';
import { forbidden, invalid } from '../../model/refusal.ts';
import type { Context } from '../context.ts';
import { find, findIssue, findOr, findTeam, mutation } from './define.ts';

/** As Linear documents it. */
const MOST_IN_BATCH = 50;

interface Fields {
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

interface UpdateInput extends Fields {
  readonly addedLabelIds?: readonly string[] | null;
  readonly removedLabelIds?: readonly string[] | null;
  readonly teamId?: string | null;
}

interface CreateInput extends Fields {
  readonly id?: string | null;
  readonly teamId: string;
}

export const ISSUE_MUTATIONS = {
  ...mutation<{ readonly input: CreateInput }>('issueCreate', ({ input }, context) => {
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
  ...mutation<{ readonly id: string; readonly input: UpdateInput }>(
    'issueUpdate',
    ({ id, input }, context) => {
      const issue = findIssue(context, id);
      updateIssue(context.world, context.credential.user, issue, changeOf(context, input));
      return { issue };
    },
  ),
  ...mutation<{ readonly ids: readonly string[]; readonly input: UpdateInput }>(
    'issueBatchUpdate',
    ({ ids, input }, context) => {
      if (ids.length > MOST_IN_BATCH)
        throw invalid(`ids must contain no more than ${MOST_IN_BATCH} elements`);
      const issues = ids.map((id) => find(context, 'Issue', id));
      const change = changeOf(context, input);
      for (const issue of issues) updateIssue(context.world, context.credential.user, issue, change);
      return { issues };
    },
  ),
  ...mutation<{ readonly id: string; readonly labelId: string }>(
    'issueAddLabel',
    ({ id, labelId }, context) => {
      const issue = findIssue(context, id);
      const add = [find(context, 'IssueLabel', labelId)];
      updateIssue(context.world, context.credential.user, issue, { labels: { add } });
      return { issue };
    },
  ),
  ...mutation<{ readonly id: string; readonly labelId: string }>(
    'issueRemoveLabel',
    ({ id, labelId }, context) => {
      const issue = findIssue(context, id);
      const remove = [find(context, 'IssueLabel', labelId)];
      updateIssue(context.world, context.credential.user, issue, { labels: { remove } });
      return { issue };
    },
  ),
  ...mutation<{ readonly id: string; readonly trash?: boolean | null }>(
    'issueArchive',
    ({ id, trash }, context) => {
      const issue = findIssue(context, id);
      archiveIssue(context.world, context.credential.user, issue, trash ?? false);
      return { node: 'IssueArchivePayload', entity: issue };
    },
  ),
  ...mutation<{ readonly id: string }>('issueUnarchive', ({ id }, context) => {
    const issue = findIssue(context, id);
    unarchiveIssue(context.world, context.credential.user, issue);
    return { node: 'IssueArchivePayload', entity: issue };
  }),
  ...mutation<{ readonly id: string; readonly permanentlyDelete?: boolean | null }>(
    'issueDelete',
    ({ id, permanentlyDelete }, context) => {
      const issue = findIssue(context, id);
      if (permanentlyDelete !== true) {
        archiveIssue(context.world, context.credential.user, issue, true);
        return { node: 'IssueArchivePayload', entity: issue };
      }
      // Only administrators may, and nobody is one here but who holds a key with that scope.
      if (context.credential.scopes?.includes('admin') !== true)
        throw forbidden('Only admins can delete permanently');
      deleteIssue(context.world, context.credential.user, issue);
      return { node: 'IssueArchivePayload', entity: null };
    },
  ),
};

function changeOf(context: Context, input: UpdateInput): IssueChange {
  const { labels, ...change } = read(context, input);
  const add = labelsOf(context, input.addedLabelIds);
  const remove = labelsOf(context, input.removedLabelIds);
  const team = findOr(input.teamId, (id) => findTeam(context, id)) ?? undefined;
  const any = labels ?? add ?? remove;
  return { ...change, team, labels: any === undefined ? undefined : { ...labels, add, remove } };
}

function read(context: Context, input: Fields) {
  const set = labelsOf(context, input.labelIds);
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

function labelsOf(context: Context, ids: readonly string[] | null | undefined): IssueLabel[] | undefined {
  return ids?.map((id) => find(context, 'IssueLabel', id));
}
