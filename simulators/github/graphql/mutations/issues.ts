/** Mutations of issues. */
import type {
  CloseIssueInput,
  CreateIssueInput,
  ReopenIssueInput,
  UpdateIssueInput,
} from '@octokit/graphql-schema';
import { reaches, tokenPermission } from '../../model/access.ts';
import { unprocessable } from '../../model/fault.ts';
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
import { mutation } from './define.ts';

const APP = ['issues'];

/** The package's types are older than the schema beside them; these two are as the schema has them. */
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
  ...mutation<NewIssueInput>('createIssue', (input, context, name) => {
    const { world, token } = context;
    const repository = find(context, input.repositoryId, 'Repository');
    requireRepository(context, repository, name, { permission: 'READ', app: APP });
    const projects = (input.projectIds ?? []).map((id) => find(context, id, 'ProjectV2'));
    for (const project of projects) requireProject(context, project, name);
    const labels = (input.labelIds ?? []).map((id) => find(context, id, 'Label'));
    const parent = input.parentIssueId == null ? undefined : find(context, input.parentIssueId, 'Issue');
    // Who may not label has the labels dropped without a word.
    const mayLabel =
      token.installation !== undefined || reaches(tokenPermission(repository, token), 'TRIAGE');
    const issue = createIssue(world, token.account, repository, {
      title: input.title,
      body: input.body ?? '',
      labels: mayLabel ? labels : [],
      parent,
    });
    for (const project of projects) addItem(world, token.account, project, issue);
    return { issue };
  }),
  ...mutation<UpdateIssueInput>('updateIssue', (input, context, name) => {
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
  ...mutation<CloseIssueInput>('closeIssue', (input, context, name) => {
    const issue = find(context, input.issueId, 'Issue');
    requireRepository(context, issue.repository, name, {
      permission: 'TRIAGE',
      app: APP,
      author: issue.author,
    });
    closeIssue(context.world, context.token.account, issue, { reason: input.stateReason ?? 'COMPLETED' });
    return { issue };
  }),
  ...mutation<ReopenIssueInput>('reopenIssue', (input, context, name) => {
    const issue = find(context, input.issueId, 'Issue');
    requireRepository(context, issue.repository, name, {
      permission: 'TRIAGE',
      app: APP,
      author: issue.author,
    });
    reopenIssue(context.world, context.token.account, issue);
    return { issue };
  }),
  ...mutation<AddSubIssueInput>('addSubIssue', (input, context, name) => {
    const issue = find(context, input.issueId, 'Issue');
    requireRepository(context, issue.repository, name, { permission: 'TRIAGE', app: APP });
    if (input.subIssueId == null)
      throw unprocessable('Either `subIssueId` or `subIssueUrl` must be provided');
    const subIssue = find(context, input.subIssueId, 'Issue');
    addSubIssue(context.world, issue, subIssue, input.replaceParent ?? false);
    return { issue, subIssue };
  }),
  ...mutation<RemoveSubIssueInput>('removeSubIssue', (input, context, name) => {
    const issue = find(context, input.issueId, 'Issue');
    requireRepository(context, issue.repository, name, { permission: 'TRIAGE', app: APP });
    const subIssue = find(context, input.subIssueId, 'Issue');
    removeSubIssue(context.world, issue, subIssue);
    return { issue, subIssue };
  }),
};
