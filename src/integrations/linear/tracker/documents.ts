/** The tracker's GraphQL documents for Linear: queries, then mutations. */

/**
 * Issues per page of the whole board. Linear charges about 61 points per issue with the nested
 * lists below, so a page costs about 6,200 of the 10,000 points that one request may cost.
 */
const PAGE = 100;
/**
 * Changed issues per read: more than usually change between two reads, but few enough to cost
 * little if none changed.
 */
const CHANGED = 20;
/**
 * Newest relations, attachments and comments per read. Linear charges for the requested number even
 * if there are fewer.
 */
export const NEWEST = 10;
/** Maximum number of states per team, far more than a team has. */
const STATES = 100;
/**
 * Limits of one request that reads blockers by issue id: the number of issues, and the relations
 * per issue. Each issue costs 42 points.
 */
export const WATCHED = { issues: 100, relations: 8 } as const;
/** Nested entries returned with each issue. Few issues have more. */
export const AT_HAND: NestedCounts = { labels: 8, relations: 5, attachments: 6 };
/** Nested entries of an issue that is read alone. */
export const OF_ONE: NestedCounts = createNestedCounts(50);

export interface NestedCounts {
  readonly labels: number;
  readonly relations: number;
  readonly attachments: number;
}

export function createNestedCounts(count: number): NestedCounts {
  return { labels: count, relations: count, attachments: count };
}

const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';

const STATE = 'fragment StateParts on WorkflowState { id name type position }';

const USER = 'fragment UserParts on User { id name displayName email active app }';

const RELATION = `
fragment RelationParts on IssueRelation { id type issue { ...BlockerParts } }
fragment BlockerParts on Issue { id identifier trashed team { id } state { ...StateParts } }`;

const TEAM = `
fragment TeamParts on Team { id key states(first: ${STATES}) { nodes { ...StateParts } } }`;

function buildRelationsField(count: number): string {
  return `inverseRelations(first: ${count}) { nodes { ...RelationParts } }`;
}

/**
 * Requests both ends of the state history, because Linear does not document its order. One end is
 * the current state.
 */
function buildIssueParts(nested: NestedCounts): string {
  return `
fragment IssueParts on Issue {
  id identifier title description priority createdAt updatedAt archivedAt trashed startedAt completedAt canceledAt
  team { id }
  state { ...StateParts }
  creator { ...UserParts }
  externalUserCreator { name displayName }
  asksExternalUserRequester { name displayName }
  botActor { name }
  parent { identifier }
  project { name }
  assignee { displayName }
  oneEnd: stateHistory(first: 1) { nodes { stateId startedAt endedAt } }
  otherEnd: stateHistory(last: 1) { nodes { stateId startedAt endedAt } }
  labels(first: ${nested.labels}) { nodes { id name } }
  attachments(first: ${nested.attachments}) { nodes { id url } }
  ${buildRelationsField(nested.relations)}
}
${STATE}${USER}${RELATION}`;
}

const NEW_RELATIONS = `issueRelations(first: ${NEWEST}, orderBy: updatedAt) {
    nodes { ...NewRelationParts }
  }`;
const NEW_RELATION = `
fragment NewRelationParts on IssueRelation { ...RelationParts updatedAt relatedIssue { id } }`;

/** One page of a team's issues, newest first: an order that does not change during the read. */
export const BOARD_PAGE = `
query BoardPage($team: String!, $filter: IssueFilter!, $archived: Boolean!, $after: String) {
  team(id: $team) { ...TeamParts }
  issues(first: ${PAGE}, after: $after, filter: $filter, includeArchived: $archived) {
    nodes { ...IssueParts } ${PAGE_INFO}
  }
  relations: ${NEW_RELATIONS}
}
${TEAM}${NEW_RELATION}${buildIssueParts(AT_HAND)}`;

/**
 * A page of a team's issues, without any field that Linear could refuse to return for one of them.
 */
export const BOARD_HEADS = `
query BoardHeads($team: String!, $filter: IssueFilter!, $after: String) {
  team(id: $team) { ...TeamParts }
  issues(first: 250, after: $after, filter: $filter) { nodes { ...IssueHead } ${PAGE_INFO} }
}
fragment IssueHead on Issue { id updatedAt }
${TEAM}${STATE}`;

/** One issue without the objects it refers to. */
export const LEAN_ISSUE = `
query LeanIssue($filter: IssueFilter!) {
  issues(first: 1, filter: $filter, includeArchived: true) {
    nodes {
      id identifier title description priority createdAt updatedAt archivedAt trashed startedAt completedAt canceledAt
      team { id }
      state { ...StateParts }
      labels(first: 50) { nodes { id name } }
    }
  }
}
${STATE}`;

const WATCHED_PARTS = `
fragment Watched on IssueConnection { nodes { id ${buildRelationsField(WATCHED.relations)} } ${PAGE_INFO} }`;

/** All changes since the last read, in one request. */
export const BOARD_CHANGES = `
query BoardChanges(
  $team: String!, $changed: IssueFilter!, $elsewhere: IssueFilter!, $watched: IssueFilter!, $watching: Int!,
  $isWatching: Boolean!, $said: CommentFilter!
) {
  team(id: $team) { ...TeamParts }
  changed: issues(first: ${CHANGED}, filter: $changed, includeArchived: true) { nodes { ...IssueParts } ${PAGE_INFO} }
  elsewhere: issues(first: ${CHANGED}, filter: $elsewhere, includeArchived: true) { nodes { id } ${PAGE_INFO} }
  watched: issues(first: $watching, filter: $watched, includeArchived: true) @include(if: $isWatching) { ...Watched }
  relations: ${NEW_RELATIONS}
  attached: attachments(first: ${NEWEST}, orderBy: updatedAt) { nodes { ...NewAttachmentParts } }
  said: comments(first: ${NEWEST}, filter: $said, orderBy: updatedAt) {
    nodes { ...CommentHead } ${PAGE_INFO}
  }
}
fragment NewAttachmentParts on Attachment { id url issue { id } }
fragment CommentHead on Comment { id updatedAt issue { id } }
${WATCHED_PARTS}
${TEAM}${NEW_RELATION}${buildIssueParts(AT_HAND)}`;

/** Blockers of the watched issues that do not fit into one read. */
export const MORE_WATCHED = `
query MoreWatched($watched: IssueFilter!, $watching: Int!) {
  watched: issues(first: $watching, filter: $watched, includeArchived: true) { ...Watched }
}
${WATCHED_PARTS}${RELATION}${STATE}`;

/**
 * Returns a query for issues with longer nested lists. Linear charges for `issues` entries, so
 * `issues` must equal the number of requested issues.
 */
export function buildIssuesInFullQuery(issues: number, nested: NestedCounts): string {
  return `
query IssuesInFull($filter: IssueFilter!) {
  issues(first: ${issues}, filter: $filter, includeArchived: true) { nodes { ...IssueParts } }
}
${buildIssueParts(nested)}`;
}

/** All relations that point at an issue, page by page. */
export const ALL_RELATIONS = `
query AllRelations($id: String!, $after: String) {
  issue(id: $id) {
    inverseRelations(first: 250, after: $after) { nodes { ...RelationParts } ${PAGE_INFO} }
  }
}
${RELATION}${STATE}`;

/** One issue in its current state, with the states of its team. */
export const READ_ISSUE = `
query ReadIssue($team: String!, $filter: IssueFilter!) {
  team(id: $team) { ...TeamParts }
  issues(first: 1, filter: $filter) { nodes { ...IssueParts } }
}
${TEAM}${buildIssueParts(OF_ONE)}`;

/**
 * `READ_ISSUE` including archived issues, because an issue that Legion created may have left the
 * board.
 */
export const MADE_ISSUE = READ_ISSUE.replace('ReadIssue', 'MadeIssue').replace(
  'filter: $filter)',
  'filter: $filter, includeArchived: true)',
);

export const COMMENTS_PAGE = `
query CommentsPage($issue: IssueFilter!, $filter: CommentFilter!, $after: String) {
  issues(first: 1, filter: $issue) {
    nodes {
      id identifier
      comments(first: 50, after: $after, filter: $filter) { nodes { ...CommentParts } ${PAGE_INFO} }
    }
  }
}
fragment CommentParts on Comment {
  id body createdAt updatedAt user { ...UserParts } externalUser { name displayName } botActor { name }
}
${USER}`;

/** Reads a comment's text if it exists, and the issue to which it should belong. */
export const MADE_COMMENT = `
query MadeComment($issue: IssueFilter!, $comment: CommentFilter!) {
  issues(first: 1, filter: $issue) { nodes { id identifier } }
  comments(first: 1, filter: $comment, includeArchived: true) { nodes { id body } }
}`;

/** Labels of the team and the workspace, by name. */
export const LABELS_BY_NAME = `
query LabelsNamed($filter: IssueLabelFilter!, $after: String) {
  issueLabels(first: 100, after: $after, filter: $filter) {
    nodes { id name isGroup team { id } parent { name groupType } } ${PAGE_INFO}
  }
}`;

/** Builds the mutation that changes an issue. The mutation's name shows which operation sent it. */
export function buildUpdateIssueDocument(name: 'LegionWrites' | 'LegionMoves' | 'LegionCloses'): string {
  return `
mutation ${name}($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success }
}`;
}

/**
 * Creates the issue and then the relations to its blockers in one request, so that no other request
 * runs in between.
 */
export function buildCreateIssueDocument(blockers: number): string {
  const { declared, mutations } = buildNumberedMutations(
    blockers,
    'issueRelationCreate',
    'IssueRelationCreateInput',
  );
  return `
mutation LegionCreates(${['$input: IssueCreateInput!', ...declared].join(', ')}) {
  issueCreate(input: $input) { success issue { identifier } }
  ${mutations.join('\n  ')}
}`;
}

/** Creates relations to blockers that an interrupted request left out. */
export function buildCreateRelationsDocument(count: number): string {
  const { declared, mutations } = buildNumberedMutations(
    count,
    'issueRelationCreate',
    'IssueRelationCreateInput',
  );
  return `
mutation LegionRelates(${declared.join(', ')}) {
  ${mutations.join('\n  ')}
}`;
}

export function buildCreateLabelsDocument(count: number): string {
  const { declared, mutations } = buildNumberedMutations(count, 'issueLabelCreate', 'IssueLabelCreateInput');
  return `
mutation MakeLabels(${declared.join(', ')}) {
  ${mutations.join('\n  ')}
}`;
}

export const CREATE_COMMENT = `
mutation LegionComments($input: CommentCreateInput!) {
  commentCreate(input: $input) { success }
}`;

export const UPDATE_COMMENT = `
mutation LegionEditsComment($id: String!, $input: CommentUpdateInput!) {
  commentUpdate(id: $id, input: $input) { success }
}`;

export const CREATE_ATTACHMENT = `
mutation LegionAttaches($input: AttachmentCreateInput!) {
  attachmentCreate(input: $input) { success }
}`;

/** Returns the inputs of numbered mutations, as `$s0`, `$s1` and so on. */
export function toNumberedInputs(inputs: readonly object[]): Readonly<Record<string, object>> {
  return Object.fromEntries(inputs.map((input, index) => [`s${index}`, input]));
}

function buildNumberedMutations(count: number, mutation: string, input: string) {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return {
    declared: numbers.map((number) => `$s${number}: ${input}!`),
    mutations: numbers.map((number) => `s${number}: ${mutation}(input: $s${number}) { success }`),
  };
}
