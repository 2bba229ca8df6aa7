/** Implements the mutations of labels. */
import type {
  AddLabelsToLabelableInput,
  CreateLabelInput,
  RemoveLabelsFromLabelableInput,
} from '@octokit/graphql-schema';
import { addLabels, createLabel, removeLabels } from '../../model/labels.ts';
import { find, listAppPermissions, requireRepository } from './allowed.ts';
import { defineMutation } from './define.ts';

export const LABEL_MUTATIONS = {
  ...defineMutation<CreateLabelInput>('createLabel', (input, context, name) => {
    const repository = find(context, input.repositoryId, 'Repository');
    requireRepository(context, repository, name, { permission: 'WRITE', app: ['issues', 'pull_requests'] });
    return {
      label: createLabel(context.world, repository, input.name, {
        color: input.color,
        description: input.description,
      }),
    };
  }),
  ...defineMutation<AddLabelsToLabelableInput>('addLabelsToLabelable', (input, context, name) => {
    const thread = find(context, input.labelableId, 'Issue', 'PullRequest');
    requireRepository(context, thread.repository, name, {
      permission: 'TRIAGE',
      app: listAppPermissions(thread),
    });
    const labels = input.labelIds.map((id) => find(context, id, 'Label'));
    addLabels(context.world, context.token.account, thread, labels);
    return { labelable: thread };
  }),
  ...defineMutation<RemoveLabelsFromLabelableInput>('removeLabelsFromLabelable', (input, context, name) => {
    const thread = find(context, input.labelableId, 'Issue', 'PullRequest');
    requireRepository(context, thread.repository, name, {
      permission: 'TRIAGE',
      app: listAppPermissions(thread),
    });
    const labels = input.labelIds.map((id) => find(context, id, 'Label'));
    removeLabels(context.world, context.token.account, thread, labels);
    return { labelable: thread };
  }),
};
