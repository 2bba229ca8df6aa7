/** Fields of the workspace and of those who are in it, or beside it. */
import type { ExternalUser, User } from '../../model/nodes.ts';
import type { Context, Table } from '../context.ts';
import { BASE, empty, fixed, list, plain } from '../fields.ts';
import { displayName, profileUrl } from '../wording.ts';

export const ACCOUNT: Table = {
  User: {
    ...BASE,
    ...plain('name', 'email', 'active', 'guest', 'app'),
    ...empty(
      'avatarUrl',
      'calendarHash',
      'description',
      'disableReason',
      'gitHubUserId',
      'lastSeen',
      'statusEmoji',
    ),
    ...empty('statusLabel', 'statusUntilAt', 'timezone', 'title'),
    ...fixed({ admin: false, owner: false, avatarBackgroundColor: '#5e6ad2', inviteHash: '' }),
    ...fixed({ supportsAgentSessions: false }),
    displayName,
    initials: ({ name }: User) => name.slice(0, 1).toUpperCase(),
    isAssignable: ({ active }: User) => active,
    isMentionable: ({ active }: User) => active,
    canAccessAnyPublicTeam: ({ guest }: User) => !guest,
    isMe: (user: User, _: unknown, { credential }: Context) => user === credential.user,
    url: (user: User, _: unknown, { url }: Context) => profileUrl(user, url),
    createdIssueCount: (user: User, _: unknown, { world }: Context) =>
      world.all('Issue').filter(({ creator }) => creator === user).length,
    organization: (_: unknown, __: unknown, { world }: Context) => world.organization,
    teams: list('Team', ({ members }, user: User) => members.has(user)),
    assignedIssues: list('Issue', ({ assignee }, user: User) => assignee === user),
    createdIssues: list('Issue', ({ creator }, user: User) => creator === user),
  },
  ExternalUser: {
    ...BASE,
    ...plain('name'),
    ...empty('avatarUrl', 'email', 'lastSeen'),
    displayName: ({ name }: ExternalUser) => name,
    organization: (_: unknown, __: unknown, { world }: Context) => world.organization,
  },
  Organization: {
    ...BASE,
    ...plain('name', 'urlKey'),
    ...empty(
      'logoUrl',
      'gitBranchFormat',
      'subscription',
      'trialEndsAt',
      'trialStartsAt',
      'deletionRequestedAt',
    ),
    ...empty(
      'allowedFileUploadContentTypes',
      'allowMembersToInvite',
      'defaultFeedSummarySchedule',
      'defaultHomeView',
    ),
    ...empty(
      'defaultHomeViewTargetId',
      'initiativeUpdateReminderFrequencyInWeeks',
      'slackProjectChannelIntegration',
    ),
    ...empty(
      'projectUpdateReminderFrequencyInWeeks',
      'restrictLabelManagementToAdmins',
      'restrictTeamCreationToAdmins',
    ),
    ...fixed({ allowedAuthServices: [], authSettings: {}, customerCount: 0, customersConfiguration: {} }),
    ...fixed({
      aiDiscussionSummariesEnabled: false,
      aiThreadSummariesEnabled: false,
      customersEnabled: false,
    }),
    ...fixed({ feedEnabled: false, fiscalYearStartMonth: 0, gitLinkbackDescriptionsEnabled: false }),
    ...fixed({ gitLinkbackMessagesEnabled: false, gitPublicLinkbackMessagesEnabled: false }),
    ...fixed({ hideNonPrimaryOrganizations: false, hipaaComplianceEnabled: false, projectStatuses: [] }),
    ...fixed({
      initiativeUpdateRemindersDay: 'Friday',
      initiativeUpdateRemindersHour: 14,
      previousUrlKeys: [],
    }),
    ...fixed({
      projectUpdateRemindersDay: 'Friday',
      projectUpdateRemindersHour: 14,
      releaseChannel: 'public',
    }),
    ...fixed({
      periodUploadVolume: 0,
      projectUpdatesReminderFrequency: 'never',
      pullRequestIssueMode: 'default',
    }),
    ...fixed({ pullRequestTourEnabled: false, releasesEnabled: false, roadmapEnabled: false }),
    ...fixed({ samlEnabled: false, scimEnabled: false, securitySettings: {}, slaDayCount: 'all' }),
    ...fixed({ slackProjectChannelPrefix: '', suggestedBranchNameEnabled: false }),
    userCount: (_: unknown, __: unknown, { world }: Context) => world.all('User').length,
    createdIssueCount: (_: unknown, __: unknown, { world }: Context) => world.all('Issue').length,
    users: list('User', ({ active }) => active),
    teams: list('Team', () => true),
    labels: list('IssueLabel', ({ team }) => team === undefined),
  },
};
