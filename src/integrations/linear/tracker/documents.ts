/** Every question the tracker asks Linear. */

/**
 * Issues a page of the whole board. Linear counts an issue, with what is nested in it below, as about 61 points, so that such a page
 * is about 6,200 of the 10,000 that one request may cost.
 */
const PAGE = 100;
/** Changed issues that come with each look: more than change between two, few enough to cost little while none do. */
const CHANGED = 20;
/** Newest relations, attachments and comments of each look; points are counted for as many as are asked for, there or not. */
export const NEWEST = 10;
/** Far more states than a team has. */
const STATES = 100;
/** Issues that are asked for by their ids at once, for what they wait for: so much of it, which is 42 points each. */
export const WATCHED = { issues: 100, relations: 8 } as const;
/** Entries of one issue that come with it; few issues have as many. */
export const AT_HAND: Entries = { labels: 8, relations: 5, attachments: 6 };
/** And of one that is asked for alone. */
export const OF_ONE: Entries = entries(50);

export interface Entries {
  readonly labels: number;
  readonly relations: number;
  readonly attachments: number;
}

export function entries(count: number): Entries {
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

function relations(count: number): string {
  return `inverseRelations(first: ${count}) { nodes { ...RelationParts } }`;
}

/** Both ends of its history, because Linear does not say which comes first: one of them is the state it is in. */
function issueParts(nested: Entries): string {
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
  ${relations(nested.relations)}
}
${STATE}${USER}${RELATION}`;
}

const NEW_RELATIONS = `issueRelations(first: ${NEWEST}, orderBy: updatedAt) {
    nodes { ...NewRelationParts }
  }`;
const NEW_RELATION = `
fragment NewRelationParts on IssueRelation { ...RelationParts updatedAt relatedIssue { id } }`;

/** One page of a team's issues, the newest made first: an order that nothing changes while it is read. */
export const BOARD_PAGE = `
query BoardPage($team: String!, $filter: IssueFilter!, $archived: Boolean!, $after: String) {
  team(id: $team) { ...TeamParts }
  issues(first: ${PAGE}, after: $after, filter: $filter, includeArchived: $archived) {
    nodes { ...IssueParts } ${PAGE_INFO}
  }
  relations: ${NEW_RELATIONS}
}
${TEAM}${NEW_RELATION}${issueParts(AT_HAND)}`;

/** A page of a team's issues without anything that could be refused for one of them. */
export const BOARD_HEADS = `
query BoardHeads($team: String!, $filter: IssueFilter!, $after: String) {
  team(id: $team) { ...TeamParts }
  issues(first: 250, after: $after, filter: $filter) { nodes { ...IssueHead } ${PAGE_INFO} }
}
fragment IssueHead on Issue { id updatedAt }
${TEAM}${STATE}`;

/** One issue without what it refers to. */
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
fragment Watched on IssueConnection { nodes { id ${relations(WATCHED.relations)} } ${PAGE_INFO} }`;

/** What is different since the last look, in one request. */
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
${TEAM}${NEW_RELATION}${issueParts(AT_HAND)}`;

/** What more issues wait for than go into one look. */
export const MORE_WATCHED = `
query MoreWatched($watched: IssueFilter!, $watching: Int!) {
  watched: issues(first: $watching, filter: $watched, includeArchived: true) { ...Watched }
}
${WATCHED_PARTS}${RELATION}${STATE}`;

/** Issues of which more may be nested than comes with them. Points are counted for `issues` of them, so that it is no more than are asked for. */
export function issuesInFull(issues: number, nested: Entries): string {
  return `
query IssuesInFull($filter: IssueFilter!) {
  issues(first: ${issues}, filter: $filter, includeArchived: true) { nodes { ...IssueParts } }
}
${issueParts(nested)}`;
}

/** Everything that an issue waits for, however much that is. */
export const ALL_RELATIONS = `
query AllRelations($id: String!, $after: String) {
  issue(id: $id) {
    inverseRelations(first: 250, after: $after) { nodes { ...RelationParts } ${PAGE_INFO} }
  }
}
${RELATION}${STATE}`;

/** One issue as it is now, with the states of its team. */
export const READ_ISSUE = `
query ReadIssue($team: String!, $filter: IssueFilter!) {
  team(id: $team) { ...TeamParts }
  issues(first: 1, filter: $filter) { nodes { ...IssueParts } }
}
${TEAM}${issueParts(OF_ONE)}`;

/** The same, whether or not it is still on the board: what Legion has made is looked for wherever it went. */
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

/** Whether a comment is there, and the issue it is to be on. */
export const MADE_COMMENT = `
query MadeComment($issue: IssueFilter!, $comment: CommentFilter!) {
  issues(first: 1, filter: $issue) { nodes { id identifier } }
  comments(first: 1, filter: $comment, includeArchived: true) { nodes { id } }
}`;

/** Labels by their names, of the team and of the whole workspace. */
export const LABELS_NAMED = `
query LabelsNamed($filter: IssueLabelFilter!, $after: String) {
  issueLabels(first: 100, after: $after, filter: $filter) {
    nodes { id name isGroup team { id } parent { name groupType } } ${PAGE_INFO}
  }
}`;
