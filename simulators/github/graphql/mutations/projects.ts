/** Implements the mutations of boards. */
import type {
  AddProjectV2DraftIssueInput,
  AddProjectV2ItemByIdInput,
  ArchiveProjectV2ItemInput,
  ClearProjectV2ItemFieldValueInput,
  CreateProjectV2FieldInput,
  DeleteProjectV2ItemInput,
  UpdateProjectV2ItemFieldValueInput,
} from '@octokit/graphql-schema';
import { GithubRefusal, toUnprocessable } from '../../model/fault.ts';
import type { ProjectItem } from '../../model/nodes.ts';
import {
  addField,
  addItem,
  archiveItem,
  clearValue,
  createDraft,
  removeItem,
  replaceOptions,
  setValue,
} from '../../model/projects.ts';
import type { GithubResolverContext } from '../context.ts';
import { find, requireProject } from './allowed.ts';
import { defineMutation } from './define.ts';

/** Declared here because the types in the package are older than the schema in the same package. */
interface UpdateProjectV2FieldInput {
  readonly clientMutationId?: string | null;
  readonly fieldId: string;
  readonly name?: string | null;
  readonly singleSelectOptions?: CreateProjectV2FieldInput['singleSelectOptions'];
}

export const PROJECT_MUTATIONS = {
  ...defineMutation<AddProjectV2ItemByIdInput>('addProjectV2ItemById', (input, context, name) => {
    const project = find(context, input.projectId, 'ProjectV2');
    requireProject(context, project, name);
    const content = find(context, input.contentId, 'Issue', 'PullRequest');
    return { item: addItem(context.world, context.token.account, project, content) };
  }),
  ...defineMutation<AddProjectV2DraftIssueInput>('addProjectV2DraftIssue', (input, context, name) => {
    const project = find(context, input.projectId, 'ProjectV2');
    requireProject(context, project, name);
    const draft = createDraft(context.world, context.token.account, input.title, input.body ?? '');
    return { projectItem: addItem(context.world, context.token.account, project, draft) };
  }),
  ...defineMutation<DeleteProjectV2ItemInput>('deleteProjectV2Item', (input, context, name) => {
    const item = requireItem(context, input, name);
    removeItem(context.world, context.token.account, item);
    return { deletedItemId: item.id };
  }),
  ...defineMutation<ArchiveProjectV2ItemInput>('archiveProjectV2Item', (input, context, name) => {
    const item = requireItem(context, input, name);
    archiveItem(context.world, context.token.account, item, true);
    return { item };
  }),
  ...defineMutation<ArchiveProjectV2ItemInput>('unarchiveProjectV2Item', (input, context, name) => {
    const item = requireItem(context, input, name);
    archiveItem(context.world, context.token.account, item, false);
    return { item };
  }),
  ...defineMutation<UpdateProjectV2ItemFieldValueInput>(
    'updateProjectV2ItemFieldValue',
    (input, context, name) => {
      const item = requireItem(context, input, name);
      const field = find(context, input.fieldId, 'ProjectV2Field', 'ProjectV2SingleSelectField');
      if (field.project !== item.project) throw toUnprocessable('The field does not belong to the project.');
      if (item.archived) throw toUnprocessable('The item is archived and cannot be updated.');
      const { text, singleSelectOptionId } = input.value;
      if (field.type === 'ProjectV2SingleSelectField') {
        const option = field.options.find(({ id }) => id === singleSelectOptionId);
        if (option === undefined)
          throw toUnprocessable('The single select option Id does not belong to the field');
        setValue(context.world, context.token.account, item, field, { option });
      } else if (text != null && field.dataType === 'TEXT') {
        setValue(context.world, context.token.account, item, field, { text });
      } else
        throw new GithubRefusal(
          'NOT_SIMULATED',
          `The simulator does not support setting ${field.dataType} values.`,
        );
      return { projectV2Item: item };
    },
  ),
  ...defineMutation<ClearProjectV2ItemFieldValueInput>(
    'clearProjectV2ItemFieldValue',
    (input, context, name) => {
      const item = requireItem(context, input, name);
      const field = find(context, input.fieldId, 'ProjectV2Field', 'ProjectV2SingleSelectField');
      clearValue(context.world, context.token.account, item, field);
      return { projectV2Item: item };
    },
  ),
  ...defineMutation<CreateProjectV2FieldInput>('createProjectV2Field', (input, context, name) => {
    const project = find(context, input.projectId, 'ProjectV2');
    requireProject(context, project, name);
    const options = input.singleSelectOptions ?? [];
    if (input.dataType === 'SINGLE_SELECT' && options.length === 0) {
      throw toUnprocessable('Single select options are required');
    }
    return { projectV2Field: addField(context.world, project, input.name, input.dataType, options) };
  }),
  ...defineMutation<UpdateProjectV2FieldInput>('updateProjectV2Field', (input, context, name) => {
    const field = find(context, input.fieldId, 'ProjectV2Field', 'ProjectV2SingleSelectField');
    requireProject(context, field.project, name);
    field.name = input.name ?? field.name;
    // If no options are given, the existing ones stay, as the schema documents.
    if (input.singleSelectOptions != null && input.singleSelectOptions.length > 0) {
      replaceOptions(context.world, field, input.singleSelectOptions);
    }
    return { projectV2Field: field };
  }),
};

function requireItem(
  context: GithubResolverContext,
  input: { projectId: string; itemId: string },
  mutationName: string,
): ProjectItem {
  const project = find(context, input.projectId, 'ProjectV2');
  requireProject(context, project, mutationName);
  const item = find(context, input.itemId, 'ProjectV2Item');
  if (item.project === project) return item;
  throw new GithubRefusal('NOT_FOUND', `Could not resolve to a node with the global id of '${input.itemId}'`);
}
