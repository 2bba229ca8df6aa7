/** Fields of projects. */
import type { Project } from '../../model/nodes.ts';
import { connection, type PageArguments } from '../connection.ts';
import type { Context, Table } from '../context.ts';
import { BASE, empty, fixed, list, plain } from '../fields.ts';

const STATUS = {
  name: 'Backlog',
  type: 'backlog',
  color: '#bec2c8',
  position: 0,
  indefinite: false,
  description: null,
  archivedAt: null,
};

export const PROJECT: Table = {
  Project: {
    ...BASE,
    ...plain('name'),
    ...empty(
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
    ...empty(
      'startDate',
      'startedAt',
      'targetDate',
      'trashed',
      'integrationsSettings',
      'microsoftTeamsChannelId',
    ),
    ...empty(
      'slackChannelId',
      'documentContent',
      'updateRemindersDay',
      'syncedWith',
      'updateReminderFrequency',
    ),
    ...empty('updateRemindersHour', 'convertedFromIssue', 'lastAppliedTemplate', 'lastUpdate', 'favorite'),
    ...empty(
      'updateReminderFrequencyInWeeks',
      'targetDateResolution',
      'startDateResolution',
      'healthUpdatedAt',
    ),
    ...empty('projectUpdateRemindersPausedUntilAt'),
    ...fixed({ labelIds: [], completedScopeHistory: [], completedIssueCountHistory: [] }),
    ...fixed({ inProgressScopeHistory: [], issueCountHistory: [], scopeHistory: [], resourceCount: 0 }),
    ...fixed({ frequencyResolution: 'weekly', prioritySortOrder: 0, slackIssueComments: false }),
    ...fixed({ slackIssueStatuses: false, slackNewIssue: false }),
    // The workspace has one status of projects, and it is every project's.
    status: ({ createdAt, updatedAt }: Project, _: unknown, { world }: Context) => ({
      ...STATUS,
      id: world.organization.id,
      createdAt,
      updatedAt,
    }),
    ...fixed({
      color: '#bec2c8',
      description: '',
      priority: 0,
      priorityLabel: 'No priority',
      progress: 0,
      scope: 0,
    }),
    ...fixed({ previousIdentifiers: [], sortOrder: 0, state: 'backlog' }),
    slugId: ({ id }: Project) => id.slice(0, 12),
    url: ({ id }: Project, _: unknown, { url }: Context) => `${url}/acme/project/${id.slice(0, 12)}`,
    issues: list('Issue', ({ project }, own: Project) => project === own),
    teams: ({ teams }: Project, args: PageArguments, context: Context) =>
      connection('Team', teams, args, context),
  },
};
