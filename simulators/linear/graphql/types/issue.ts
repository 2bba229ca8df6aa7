/** Resolves fields of issues. */
import { canSeeTeam } from '../../model/access.ts';
import { formatIdentifier, type Issue, type IssueLabel, type StateSpan } from '../../model/nodes.ts';
import { NotSimulated } from '../../model/refusal.ts';
import { buildConnection, DEFAULT_PAGE, type PageArguments } from '../connection.ts';
import type { LinearResolverContext, LinearResolverTable } from '../context.ts';
import { BASE, defineEmptyFields, defineFixedFields, definePlainFields, list } from '../fields.ts';
import { buildBranchName, buildIssueUrl, PRIORITIES } from '../wording.ts';

export const ISSUE: LinearResolverTable = {
  Issue: {
    ...BASE,
    ...definePlainFields(
      'title',
      'description',
      'number',
      'priority',
      'estimate',
      'dueDate',
      'team',
      'state',
    ),
    ...definePlainFields('assignee', 'project', 'creator', 'previousIdentifiers'),
    ...definePlainFields('startedAt', 'completedAt', 'canceledAt', 'triagedAt'),
    ...defineEmptyFields('botActor', 'cycle', 'delegate', 'favorite', 'projectMilestone', 'snoozedBy'),
    ...defineEmptyFields(
      'asksRequester',
      'asksExternalUserRequester',
      'integrationSourceType',
      'sourceComment',
      'syncedWith',
    ),
    ...defineEmptyFields(
      'addedToCycleAt',
      'addedToProjectAt',
      'addedToTeamAt',
      'autoArchivedAt',
      'autoClosedAt',
    ),
    ...defineEmptyFields(
      'slaStartedAt',
      'slaBreachesAt',
      'slaHighRiskAt',
      'slaMediumRiskAt',
      'slaType',
      'snoozedUntilAt',
    ),
    ...defineEmptyFields(
      'lastAppliedTemplate',
      'recurringIssueTemplate',
      'subIssueSortOrder',
      'startedTriageAt',
    ),
    ...defineFixedFields({
      reactionData: [],
      reactions: [],
      customerTicketCount: 0,
      inheritsSharedAccess: false,
    }),
    ...defineFixedFields({ boardOrder: 0, sortOrder: 0, prioritySortOrder: 0 }),
    sharedAccess: () => ({
      isShared: false,
      sharedWithCount: 0,
      sharedWithUsers: [],
      viewerHasOnlySharedAccess: false,
      disallowedIssueFields: [],
    }),
    stateHistory: ({ spans }: Issue, args: PageArguments) => toStatePage(spans, args),
    identifier: formatIdentifier,
    branchName: buildBranchName,
    url: (issue: Issue, _: unknown, { url }: LinearResolverContext) => buildIssueUrl(issue, url),
    priorityLabel: ({ priority }: Issue) => PRIORITIES[priority],
    trashed: ({ trashed }: Issue) => (trashed ? true : null),
    externalUserCreator: ({ external }: Issue) => external ?? null,
    labelIds: ({ labels }: Issue) => labels.map(({ id }) => id),
    labels: ({ labels }: Issue, args: PageArguments, context: LinearResolverContext) =>
      buildConnection('IssueLabel', [...labels], args, context),
    // A parent in a team that the requester may not see is omitted.
    parent: ({ parent }: Issue, _: unknown, { credential }: LinearResolverContext) =>
      parent !== undefined && canSeeTeam(credential.user, parent.team) ? parent : null,
    children: list('Issue', ({ parent }, issue: Issue) => parent === issue),
    comments: list('Comment', ({ issue }, own: Issue) => issue === own),
    attachments: list('Attachment', ({ issue }, own: Issue) => issue === own),
    relations: list('IssueRelation', ({ issue }, own: Issue) => issue === own),
    inverseRelations: list('IssueRelation', ({ related }, own: Issue) => related === own),
  },
  IssueLabel: {
    ...BASE,
    ...definePlainFields('name', 'team', 'parent', 'isGroup', 'color', 'description', 'creator'),
    ...defineEmptyFields('inheritedFrom', 'lastAppliedAt', 'retiredAt', 'retiredBy'),
    groupType: ({ isGroup }: IssueLabel) => (isGroup ? 'singleSelect' : null),
    organization: (_: unknown, __: unknown, { world }: LinearResolverContext) => world.organization,
    children: list('IssueLabel', ({ parent }, label: IssueLabel) => parent === label),
    issues: list('Issue', ({ labels }, label: IssueLabel) => labels.includes(label)),
  },
};

/** Lists the newest first, like other lists. Supports `first` and `last`, but no cursors. */
function toStatePage(spans: readonly StateSpan[], { first, last, after, before }: PageArguments): object {
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
