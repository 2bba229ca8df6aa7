/** Resolves fields of teams and of their states. */
import type { Team, WorkflowState } from '../../model/nodes.ts';
import { listTeamStates } from '../../model/teams.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { LinearResolverContext, LinearResolverTable } from '../context.ts';
import { BASE, defineEmptyFields, defineFixedFields, definePlainFields, list } from '../fields.ts';

export const TEAM: LinearResolverTable = {
  Team: {
    ...BASE,
    ...definePlainFields('key', 'name', 'private'),
    ...defineEmptyFields(
      'activeCycle',
      'autoClosePeriod',
      'autoCloseStateId',
      'color',
      'defaultProjectTemplate',
      'description',
    ),
    ...defineEmptyFields(
      'defaultTemplateForMembers',
      'defaultTemplateForMembersId',
      'defaultTemplateForNonMembers',
    ),
    ...defineEmptyFields(
      'defaultTemplateForNonMembersId',
      'icon',
      'integrationsSettings',
      'parent',
      'retiredAt',
    ),
    ...defineEmptyFields(
      'draftWorkflowState',
      'markedAsDuplicateWorkflowState',
      'mergeWorkflowState',
      'mergeableWorkflowState',
    ),
    ...defineEmptyFields(
      'reviewWorkflowState',
      'startWorkflowState',
      'scimGroupName',
      'triageResponsibility',
      'viewerMembership',
    ),
    ...defineFixedFields({
      aiDiscussionSummariesEnabled: false,
      aiThreadSummariesEnabled: false,
      allMembersCanJoin: true,
    }),
    ...defineFixedFields({ autoArchivePeriod: 6, autoCloseChildIssues: false, autoCloseParentIssues: false }),
    ...defineFixedFields({
      cycleCalenderUrl: '',
      cycleCooldownTime: 0,
      cycleDuration: 2,
      cycleStartDay: 1,
      cyclesEnabled: false,
    }),
    ...defineFixedFields({
      cycleIssueAutoAssignCompleted: false,
      cycleIssueAutoAssignStarted: false,
      cycleLockToActive: false,
    }),
    ...defineFixedFields({
      defaultIssueEstimate: 1,
      groupIssueHistory: true,
      inheritIssueEstimation: false,
      inviteHash: '',
    }),
    ...defineFixedFields({
      inheritWorkflowStatuses: false,
      initiativesEnabled: false,
      issueEstimationAllowZero: false,
    }),
    ...defineFixedFields({
      issueEstimationExtended: false,
      issueEstimationType: 'notUsed',
      issueOrderingNoPriorityFirst: false,
    }),
    ...defineFixedFields({
      issueSortOrderDefaultToBottom: false,
      ledInitiativeCount: 0,
      requirePriorityToLeaveTriage: false,
    }),
    ...defineFixedFields({
      scimManaged: false,
      securitySettings: {},
      setIssueSortOrderOnStateChange: 'default',
      timezone: 'UTC',
    }),
    ...defineFixedFields({
      slackIssueComments: false,
      slackIssueStatuses: false,
      slackNewIssue: false,
      upcomingCycleCount: 0,
    }),
    ...defineFixedFields({ viewerCanJoin: false, viewerCanLeave: true }),
    displayName: ({ name }: Team) => name,
    visibility: ({ private: closed }: Team) => (closed ? 'private' : 'public'),
    organization: (_: unknown, __: unknown, { world }: LinearResolverContext) => world.organization,
    triageEnabled: (team: Team, _: unknown, { world }: LinearResolverContext) =>
      findTriageState(world, team) !== null,
    triageIssueState: (team: Team, _: unknown, { world }: LinearResolverContext) =>
      findTriageState(world, team),
    defaultIssueState: (team: Team, _: unknown, { world }: LinearResolverContext) =>
      listTeamStates(world, team).find(({ kind }) => kind === 'backlog' || kind === 'unstarted') ?? null,
    issueCount: (team: Team, _: unknown, { world }: LinearResolverContext) =>
      world.all('Issue').filter((issue) => issue.team === team && issue.archivedAt === undefined).length,
    states: list('WorkflowState', (state, team: Team) => state.team === team),
    // Excludes workspace labels, although every issue of the team may have them.
    labels: list('IssueLabel', (label, team: Team) => label.team === team),
    issues: list('Issue', (issue, team: Team) => issue.team === team),
    projects: list('Project', ({ teams }, team: Team) => teams.includes(team)),
    members: ({ members }: Team, args: PageArguments, context: LinearResolverContext) =>
      buildConnection('User', [...members], args, context),
  },
  WorkflowState: {
    ...BASE,
    ...definePlainFields('name', 'color', 'description', 'position', 'team'),
    ...defineEmptyFields('inheritedFrom'),
    type: ({ kind }: WorkflowState) => kind,
    issues: list('Issue', (issue, state: WorkflowState) => issue.state === state),
  },
};

function findTriageState(world: LinearResolverContext['world'], team: Team): WorkflowState | null {
  return listTeamStates(world, team).find(({ kind }) => kind === 'triage') ?? null;
}
