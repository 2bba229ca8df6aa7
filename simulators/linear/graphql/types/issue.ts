/** Fields of issues. */
import { seesTeam } from '../../model/access.ts';
import { type Issue, type IssueLabel, identifierOf, type StateSpan } from '../../model/nodes.ts';
import { NotSimulated } from '../../model/refusal.ts';
import { connection, DEFAULT_PAGE, type PageArguments } from '../connection.ts';
import type { Context, Table } from '../context.ts';
import { BASE, empty, fixed, list, plain } from '../fields.ts';
import { branchOf, issueUrl, PRIORITIES } from '../wording.ts';

export const ISSUE: Table = {
  Issue: {
    ...BASE,
    ...plain('title', 'description', 'number', 'priority', 'estimate', 'dueDate', 'team', 'state'),
    ...plain('assignee', 'project', 'creator', 'previousIdentifiers'),
    ...plain('startedAt', 'completedAt', 'canceledAt', 'triagedAt'),
    ...empty('botActor', 'cycle', 'delegate', 'favorite', 'projectMilestone', 'snoozedBy'),
    ...empty(
      'asksRequester',
      'asksExternalUserRequester',
      'integrationSourceType',
      'sourceComment',
      'syncedWith',
    ),
    ...empty('addedToCycleAt', 'addedToProjectAt', 'addedToTeamAt', 'autoArchivedAt', 'autoClosedAt'),
    ...empty(
      'slaStartedAt',
      'slaBreachesAt',
      'slaHighRiskAt',
      'slaMediumRiskAt',
      'slaType',
      'snoozedUntilAt',
    ),
    ...empty('lastAppliedTemplate', 'recurringIssueTemplate', 'subIssueSortOrder', 'startedTriageAt'),
    ...fixed({ reactionData: [], reactions: [], customerTicketCount: 0, inheritsSharedAccess: false }),
    ...fixed({ boardOrder: 0, sortOrder: 0, prioritySortOrder: 0 }),
    sharedAccess: () => ({
      isShared: false,
      sharedWithCount: 0,
      sharedWithUsers: [],
      viewerHasOnlySharedAccess: false,
      disallowedIssueFields: [],
    }),
    stateHistory: ({ spans }: Issue, args: PageArguments) => statePage(spans, args),
    identifier: identifierOf,
    branchName: branchOf,
    url: (issue: Issue, _: unknown, { url }: Context) => issueUrl(issue, url),
    priorityLabel: ({ priority }: Issue) => PRIORITIES[priority],
    trashed: ({ trashed }: Issue) => (trashed ? true : null),
    externalUserCreator: ({ external }: Issue) => external ?? null,
    labelIds: ({ labels }: Issue) => labels.map(({ id }) => id),
    labels: ({ labels }: Issue, args: PageArguments, context: Context) =>
      connection('IssueLabel', [...labels], args, context),
    // What is in a team one may not see is not there.
    parent: ({ parent }: Issue, _: unknown, { credential }: Context) =>
      parent !== undefined && seesTeam(credential.user, parent.team) ? parent : null,
    children: list('Issue', ({ parent }, issue: Issue) => parent === issue),
    comments: list('Comment', ({ issue }, own: Issue) => issue === own),
    attachments: list('Attachment', ({ issue }, own: Issue) => issue === own),
    relations: list('IssueRelation', ({ issue }, own: Issue) => issue === own),
    inverseRelations: list('IssueRelation', ({ related }, own: Issue) => related === own),
  },
  IssueLabel: {
    ...BASE,
    ...plain('name', 'team', 'parent', 'isGroup', 'color', 'description', 'creator'),
    ...empty('inheritedFrom', 'lastAppliedAt', 'retiredAt', 'retiredBy'),
    groupType: ({ isGroup }: IssueLabel) => (isGroup ? 'singleSelect' : null),
    organization: (_: unknown, __: unknown, { world }: Context) => world.organization,
    children: list('IssueLabel', ({ parent }, label: IssueLabel) => parent === label),
    issues: list('Issue', ({ labels }, label: IssueLabel) => labels.includes(label)),
  },
};

/** Newest first, as other lists are; only from one of its ends, because nobody has paged through it yet. */
function statePage(spans: readonly StateSpan[], { first, last, after, before }: PageArguments): object {
  if (after != null || before != null) throw new NotSimulated('The simulator does not page through states');
  const all = spans.toReversed();
  const page = last == null ? all.slice(0, first ?? DEFAULT_PAGE) : all.slice(-last);
  const nodes = page.map(({ state, endedAt, ...span }) => ({
    ...span,
    state,
    stateId: state.id,
    endedAt: endedAt ?? null,
  }));
  const isCut = page.length < all.length;
  const pageInfo = {
    hasNextPage: isCut && last == null,
    hasPreviousPage: isCut && last != null,
    startCursor: null,
    endCursor: null,
  };
  return { nodes, pageInfo };
}
