/** Fields of teams and of their states. */
import type { Team, WorkflowState } from '../../model/nodes.ts';
import { statesOf } from '../../model/teams.ts';
import { connection, type PageArguments } from '../connection.ts';
import type { Context, Table } from '../context.ts';
import { BASE, empty, fixed, list, plain } from '../fields.ts';

export const TEAM: Table = {
  Team: {
    ...BASE,
    ...plain('key', 'name', 'private'),
    ...empty(
      'activeCycle',
      'autoClosePeriod',
      'autoCloseStateId',
      'color',
      'defaultProjectTemplate',
      'description',
    ),
    ...empty('defaultTemplateForMembers', 'defaultTemplateForMembersId', 'defaultTemplateForNonMembers'),
    ...empty('defaultTemplateForNonMembersId', 'icon', 'integrationsSettings', 'parent', 'retiredAt'),
    ...empty(
      'draftWorkflowState',
      'markedAsDuplicateWorkflowState',
      'mergeWorkflowState',
      'mergeableWorkflowState',
    ),
    ...empty(
      'reviewWorkflowState',
      'startWorkflowState',
      'scimGroupName',
      'triageResponsibility',
      'viewerMembership',
    ),
    ...fixed({
      aiDiscussionSummariesEnabled: false,
      aiThreadSummariesEnabled: false,
      allMembersCanJoin: true,
    }),
    ...fixed({ autoArchivePeriod: 6, autoCloseChildIssues: false, autoCloseParentIssues: false }),
    ...fixed({
      cycleCalenderUrl: '',
      cycleCooldownTime: 0,
      cycleDuration: 2,
      cycleStartDay: 1,
      cyclesEnabled: false,
    }),
    ...fixed({
      cycleIssueAutoAssignCompleted: false,
      cycleIssueAutoAssignStarted: false,
      cycleLockToActive: false,
    }),
    ...fixed({
      defaultIssueEstimate: 1,
      groupIssueHistory: true,
      inheritIssueEstimation: false,
      inviteHash: '',
    }),
    ...fixed({ inheritWorkflowStatuses: false, initiativesEnabled: false, issueEstimationAllowZero: false }),
    ...fixed({
      issueEstimationExtended: false,
      issueEstimationType: 'notUsed',
      issueOrderingNoPriorityFirst: false,
    }),
    ...fixed({
      issueSortOrderDefaultToBottom: false,
      ledInitiativeCount: 0,
      requirePriorityToLeaveTriage: false,
    }),
    ...fixed({
      scimManaged: false,
      securitySettings: {},
      setIssueSortOrderOnStateChange: 'default',
      timezone: 'UTC',
    }),
    ...fixed({
      slackIssueComments: false,
      slackIssueStatuses: false,
      slackNewIssue: false,
      upcomingCycleCount: 0,
    }),
    ...fixed({ viewerCanJoin: false, viewerCanLeave: true }),
    displayName: ({ name }: Team) => name,
    visibility: ({ private: closed }: Team) => (closed ? 'private' : 'public'),
    organization: (_: unknown, __: unknown, { world }: Context) => world.organization,
    triageEnabled: (team: Team, _: unknown, { world }: Context) => triageOf(world, team) !== null,
    triageIssueState: (team: Team, _: unknown, { world }: Context) => triageOf(world, team),
    defaultIssueState: (team: Team, _: unknown, { world }: Context) =>
      statesOf(world, team).find(({ kind }) => kind === 'backlog' || kind === 'unstarted') ?? null,
    issueCount: (team: Team, _: unknown, { world }: Context) =>
      world.all('Issue').filter((issue) => issue.team === team && issue.archivedAt === undefined).length,
    states: list('WorkflowState', (state, team: Team) => state.team === team),
    // Those of the workspace are not among them, though every issue of the team may have them.
    labels: list('IssueLabel', (label, team: Team) => label.team === team),
    issues: list('Issue', (issue, team: Team) => issue.team === team),
    projects: list('Project', ({ teams }, team: Team) => teams.includes(team)),
    members: ({ members }: Team, args: PageArguments, context: Context) =>
      connection('User', [...members], args, context),
  },
  WorkflowState: {
    ...BASE,
    ...plain('name', 'color', 'description', 'position', 'team'),
    ...empty('inheritedFrom'),
    type: ({ kind }: WorkflowState) => kind,
    issues: list('Issue', (issue, state: WorkflowState) => issue.state === state),
  },
};

function triageOf(world: Context['world'], team: Team): WorkflowState | null {
  return statesOf(world, team).find(({ kind }) => kind === 'triage') ?? null;
}
