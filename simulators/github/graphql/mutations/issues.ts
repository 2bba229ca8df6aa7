/** Implements the mutations of issues. */
import type {
  CloseIssueInput,
  CreateIssueInput,
  ReopenIssueInput,
  UpdateIssueInput,
} from '@octokit/graphql-schema';
import { getTokenPermission, isPermissionEnough } from '../../model/access.ts';
import { toUnprocessable } from '../../model/fault.ts';
import {
  addSubIssue,
  closeIssue,
  createIssue,
  editIssue,
  removeSubIssue,
  reopenIssue,
} from '../../model/issues.ts';
import { addLabels, removeLabels } from '../../model/labels.ts';
import { addItem } from '../../model/projects.ts';
import { find, requireProject, requireRepository } from './allowed.ts';
import { defineMutation } from './define.ts';

const APP = ['issues'];

/** Declared here because the types in the package are older than the schema in the same package. */
interface AddSubIssueInput {
  readonly clientMutationId?: string | null;
  readonly issueId: string;
  readonly subIssueId?: string | null;
  readonly replaceParent?: boolean | null;
}

interface RemoveSubIssueInput {
  readonly clientMutationId?: string | null;
  readonly issueId: string;
  readonly subIssueId: string;
}

interface NewIssueInput extends CreateIssueInput {
  readonly parentIssueId?: string | null;
}

export const ISSUE_MUTATIONS = {
  ...defineMutation<NewIssueInput>('createIssue', (input, context, name) => {
    const { world, token } = context;
    const repository = find(context, input.repositoryId, 'Repository');
    requireRepository(context, repository, name, { permission: 'READ', app: APP });
    const projects = (input.projectIds ?? []).map((id) => find(context, id, 'ProjectV2'));
    for (const project of projects) requireProject(context, project, name);
    const labels = (input.labelIds ?? []).map((id) => find(context, id, 'Label'));
    const parent = input.parentIssueId == null ? undefined : find(context, input.parentIssueId, 'Issue');
    // GitHub silently drops the labels if the requester does not have permission to set them.
    const mayLabel =
      token.installation !== undefined || isPermissionEnough(getTokenPermission(repository, token), 'TRIAGE');
    const issue = createIssue(world, token.account, repository, {
      title: input.title,
      body: input.body ?? '',
      labels: mayLabel ? labels : [],
      parent,
    });
    for (const project of projects) addItem(world, token.account, project, issue);
    return { issue };
  }),
  ...defineMutation<UpdateIssueInput>('updateIssue', (input, context, name) => {
    const { world, token } = context;
    const issue = find(context, input.id, 'Issue');
    requireRepository(context, issue.repository, name, {
      permission: 'TRIAGE',
      app: APP,
      author: issue.author,
    });
    const wanted = input.labelIds?.map((id) => find(context, id, 'Label'));
    if (input.title != null || input.body != null) editIssue(world, token.account, issue, input);
    if (wanted !== undefined) {
      removeLabels(
        world,
        token.account,
        issue,
        issue.labels.filter((label) => !wanted.includes(label)),
      );
      addLabels(world, token.account, issue, wanted);
    }
    if (input.state === 'CLOSED') closeIssue(world, token.account, issue);
    if (input.state === 'OPEN') reopenIssue(world, token.account, issue);
    return { issue, actor: token.account };
  }),
  ...defineMutation<CloseIssueInput>('closeIssue', (input, context, name) => {
    const issue = find(context, input.issueId, 'Issue');
    requireRepository(context, issue.repository, name, {
      permission: 'TRIAGE',
      app: APP,
      author: issue.author,
    });
    closeIssue(context.world, context.token.account, issue, { reason: input.stateReason ?? 'COMPLETED' });
    return { issue };
  }),
  ...defineMutation<ReopenIssueInput>('reopenIssue', (input, context, name) => {
    const issue = find(context, input.issueId, 'Issue');
    requireRepository(context, issue.repository, name, {
      permission: 'TRIAGE',
      app: APP,
      author: issue.author,
    });
    reopenIssue(context.world, context.token.account, issue);
    return { issue };
  }),
  ...defineMutation<AddSubIssueInput>('addSubIssue', (input, context, name) => {
    const issue = find(context, input.issueId, 'Issue');
    requireRepository(context, issue.repository, name, { permission: 'TRIAGE', app: APP });
    if (input.subIssueId == null)
      throw toUnprocessable('Either `subIssueId` or `subIssueUrl` must be provided');
    const subIssue = find(context, input.subIssueId, 'Issue');
    addSubIssue(context.world, issue, subIssue, input.replaceParent ?? false);
    return { issue, subIssue };
  }),
  ...defineMutation<RemoveSubIssueInput>('removeSubIssue', (input, context, name) => {
    const issue = find(context, input.issueId, 'Issue');
    requireRepository(context, issue.repository, name, { permission: 'TRIAGE', app: APP });
    const subIssue = find(context, input.subIssueId, 'Issue');
    removeSubIssue(context.world, issue, subIssue);
    return { issue, subIssue };
  }),
};
