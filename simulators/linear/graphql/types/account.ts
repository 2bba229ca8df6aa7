/** Resolves fields of the workspace, its users and external users. */
import type { ExternalUser, User } from '../../model/nodes.ts';
import type { LinearResolverContext, LinearResolverTable } from '../context.ts';
import { BASE, defineEmptyFields, defineFixedFields, definePlainFields, list } from '../fields.ts';
import { buildProfileUrl, toDisplayName } from '../wording.ts';

export const ACCOUNT: LinearResolverTable = {
  User: {
    ...BASE,
    ...definePlainFields('name', 'email', 'active', 'guest', 'app'),
    ...defineEmptyFields(
      'avatarUrl',
      'calendarHash',
      'description',
      'disableReason',
      'gitHubUserId',
      'lastSeen',
      'statusEmoji',
    ),
    ...defineEmptyFields('statusLabel', 'statusUntilAt', 'timezone', 'title'),
    ...defineFixedFields({ admin: false, owner: false, avatarBackgroundColor: '#5e6ad2', inviteHash: '' }),
    ...defineFixedFields({ supportsAgentSessions: false }),
    displayName: toDisplayName,
    initials: ({ name }: User) => name.slice(0, 1).toUpperCase(),
    isAssignable: ({ active }: User) => active,
    isMentionable: ({ active }: User) => active,
    canAccessAnyPublicTeam: ({ guest }: User) => !guest,
    isMe: (user: User, _: unknown, { credential }: LinearResolverContext) => user === credential.user,
    url: (user: User, _: unknown, { url }: LinearResolverContext) => buildProfileUrl(user, url),
    createdIssueCount: (user: User, _: unknown, { world }: LinearResolverContext) =>
      world.all('Issue').filter(({ creator }) => creator === user).length,
    organization: (_: unknown, __: unknown, { world }: LinearResolverContext) => world.organization,
    teams: list('Team', ({ members }, user: User) => members.has(user)),
    assignedIssues: list('Issue', ({ assignee }, user: User) => assignee === user),
    createdIssues: list('Issue', ({ creator }, user: User) => creator === user),
  },
  ExternalUser: {
    ...BASE,
    ...definePlainFields('name'),
    ...defineEmptyFields('avatarUrl', 'email', 'lastSeen'),
    displayName: ({ name }: ExternalUser) => name,
    organization: (_: unknown, __: unknown, { world }: LinearResolverContext) => world.organization,
  },
  Organization: {
    ...BASE,
    ...definePlainFields('name', 'urlKey'),
    ...defineEmptyFields(
      'logoUrl',
      'gitBranchFormat',
      'subscription',
      'trialEndsAt',
      'trialStartsAt',
      'deletionRequestedAt',
    ),
    ...defineEmptyFields(
      'allowedFileUploadContentTypes',
      'allowMembersToInvite',
      'defaultFeedSummarySchedule',
      'defaultHomeView',
    ),
    ...defineEmptyFields(
      'defaultHomeViewTargetId',
      'initiativeUpdateReminderFrequencyInWeeks',
      'slackProjectChannelIntegration',
    ),
    ...defineEmptyFields(
      'projectUpdateReminderFrequencyInWeeks',
      'restrictLabelManagementToAdmins',
      'restrictTeamCreationToAdmins',
    ),
    ...defineFixedFields({
      allowedAuthServices: [],
      authSettings: {},
      customerCount: 0,
      customersConfiguration: {},
    }),
    ...defineFixedFields({
      aiDiscussionSummariesEnabled: false,
      aiThreadSummariesEnabled: false,
      customersEnabled: false,
    }),
    ...defineFixedFields({
      feedEnabled: false,
      fiscalYearStartMonth: 0,
      gitLinkbackDescriptionsEnabled: false,
    }),
    ...defineFixedFields({ gitLinkbackMessagesEnabled: false, gitPublicLinkbackMessagesEnabled: false }),
    ...defineFixedFields({
      hideNonPrimaryOrganizations: false,
      hipaaComplianceEnabled: false,
      projectStatuses: [],
    }),
    ...defineFixedFields({
      initiativeUpdateRemindersDay: 'Friday',
      initiativeUpdateRemindersHour: 14,
      previousUrlKeys: [],
    }),
    ...defineFixedFields({
      projectUpdateRemindersDay: 'Friday',
      projectUpdateRemindersHour: 14,
      releaseChannel: 'public',
    }),
    ...defineFixedFields({
      periodUploadVolume: 0,
      projectUpdatesReminderFrequency: 'never',
      pullRequestIssueMode: 'default',
    }),
    ...defineFixedFields({ pullRequestTourEnabled: false, releasesEnabled: false, roadmapEnabled: false }),
    ...defineFixedFields({
      samlEnabled: false,
      scimEnabled: false,
      securitySettings: {},
      slaDayCount: 'all',
    }),
    ...defineFixedFields({ slackProjectChannelPrefix: '', suggestedBranchNameEnabled: false }),
    userCount: (_: unknown, __: unknown, { world }: LinearResolverContext) => world.all('User').length,
    createdIssueCount: (_: unknown, __: unknown, { world }: LinearResolverContext) =>
      world.all('Issue').length,
    users: list('User', ({ active }) => active),
    teams: list('Team', () => true),
    labels: list('IssueLabel', ({ team }) => team === undefined),
  },
};
