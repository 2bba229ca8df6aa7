/** Implements the mutations of team and workspace settings: labels and states. */
import { refuseGuest } from '../../model/access.ts';
import { createLabel } from '../../model/labels.ts';
import { createState, type NewState } from '../../model/teams.ts';
import { defineMutation, find, findOr, findTeam } from './define.ts';

interface LabelInput {
  readonly id?: string | null;
  readonly name: string;
  readonly teamId?: string | null;
  readonly parentId?: string | null;
  readonly color?: string | null;
  readonly description?: string | null;
  readonly isGroup?: boolean | null;
}

export const SETTING_MUTATIONS = {
  ...defineMutation<{ readonly input: LabelInput }>('issueLabelCreate', ({ input }, context) => {
    const { user } = context.credential;
    refuseGuest(user);
    const team = findOr(input.teamId, (id) => findTeam(context, id)) ?? undefined;
    const parent = findOr(input.parentId, (id) => find(context, 'IssueLabel', id)) ?? undefined;
    const { id = null, name, color = null, description = null, isGroup = null } = input;
    return {
      issueLabel: createLabel(context.world, user, { id, name, team, parent, color, description, isGroup }),
    };
  }),
  ...defineMutation<{ readonly input: NewState & { readonly teamId: string } }>(
    'workflowStateCreate',
    ({ input }, context) => {
      refuseGuest(context.credential.user);
      return { workflowState: createState(context.world, findTeam(context, input.teamId), input) };
    },
  ),
};
