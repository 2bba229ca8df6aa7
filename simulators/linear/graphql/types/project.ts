/** Resolves fields of projects. */
import type { Project } from '../../model/nodes.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { LinearResolverContext, LinearResolverTable } from '../context.ts';
import { BASE, defineEmptyFields, defineFixedFields, definePlainFields, list } from '../fields.ts';

const STATUS = {
  name: 'Backlog',
  type: 'backlog',
  color: '#bec2c8',
  position: 0,
  indefinite: false,
  description: null,
  archivedAt: null,
};

export const PROJECT: LinearResolverTable = {
  Project: {
    ...BASE,
    ...definePlainFields('name'),
    ...defineEmptyFields(
      'autoArchivedAt',
      'canceledAt',
      'completedAt',
      'content',
      'creator',
      'health',
      'icon',
      'identifier',
      'lead',
    ),
    ...defineEmptyFields(
      'startDate',
      'startedAt',
      'targetDate',
      'trashed',
      'integrationsSettings',
      'microsoftTeamsChannelId',
    ),
    ...defineEmptyFields(
      'slackChannelId',
      'documentContent',
      'updateRemindersDay',
      'syncedWith',
      'updateReminderFrequency',
    ),
    ...defineEmptyFields(
      'updateRemindersHour',
      'convertedFromIssue',
      'lastAppliedTemplate',
      'lastUpdate',
      'favorite',
    ),
    ...defineEmptyFields(
      'updateReminderFrequencyInWeeks',
      'targetDateResolution',
      'startDateResolution',
      'healthUpdatedAt',
    ),
    ...defineEmptyFields('projectUpdateRemindersPausedUntilAt'),
    ...defineFixedFields({ labelIds: [], completedScopeHistory: [], completedIssueCountHistory: [] }),
    ...defineFixedFields({
      inProgressScopeHistory: [],
      issueCountHistory: [],
      scopeHistory: [],
      resourceCount: 0,
    }),
    ...defineFixedFields({ frequencyResolution: 'weekly', prioritySortOrder: 0, slackIssueComments: false }),
    ...defineFixedFields({ slackIssueStatuses: false, slackNewIssue: false }),
    // The workspace has only one project status, which all projects share.
    status: ({ createdAt, updatedAt }: Project, _: unknown, { world }: LinearResolverContext) => ({
      ...STATUS,
      id: world.organization.id,
      createdAt,
      updatedAt,
    }),
    ...defineFixedFields({
      color: '#bec2c8',
      description: '',
      priority: 0,
      priorityLabel: 'No priority',
      progress: 0,
      scope: 0,
    }),
    ...defineFixedFields({ previousIdentifiers: [], sortOrder: 0, state: 'backlog' }),
    slugId: ({ id }: Project) => id.slice(0, 12),
    url: ({ id }: Project, _: unknown, { url }: LinearResolverContext) =>
      `${url}/acme/project/${id.slice(0, 12)}`,
    issues: list('Issue', ({ project }, own: Project) => project === own),
    teams: ({ teams }: Project, args: PageArguments, context: LinearResolverContext) =>
      buildConnection('Team', teams, args, context),
  },
};
