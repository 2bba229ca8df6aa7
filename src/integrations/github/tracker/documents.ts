/** The tracker's GraphQL documents for GitHub: queries, then mutations. */

/** Items per page; GitHub's maximum. */
export const PAGE = 100;

/**
 * Number of newest comments returned with each issue. They usually show without another request
 * whether a person replied.
 */
export const COMMENTS_AT_HAND = 3;

const REPOSITORY = 'repository { id name owner { login } }';

const COMMENT_PARTS = `
fragment CommentParts on IssueComment {
  id fullDatabaseId createdAt body authorAssociation author { __typename login }
}`;

const ISSUE_PARTS = `
fragment IssueParts on Issue {
  __typename id fullDatabaseId number title body createdAt updatedAt closedAt authorAssociation
  author { __typename login }
  ${REPOSITORY}
  labels(first: ${PAGE}) { nodes { id name } pageInfo { hasNextPage endCursor } }
  parent { number ${REPOSITORY} }
  reopened: timelineItems(itemTypes: [REOPENED_EVENT], last: 1) { nodes { ... on ReopenedEvent { createdAt } } }
  comments(last: ${COMMENTS_AT_HAND}) { totalCount nodes { ...CommentParts } }
}
${COMMENT_PARTS}`;

const PROJECT_PARTS = `
fragment ProjectParts on ProjectV2 {
  id
  status: field(name: $status) { ...Choices }
  priority: field(name: $priority) { ...Choices }
}
fragment Choices on ProjectV2SingleSelectField { id options { id name } }`;

const ITEM_PARTS = `
fragment ItemParts on ProjectV2Item {
  id isArchived type createdAt
  status: fieldValueByName(name: $status) { ... on ProjectV2ItemFieldSingleSelectValue { optionId updatedAt } }
  priority: fieldValueByName(name: $priority) { ... on ProjectV2ItemFieldSingleSelectValue { optionId updatedAt } }
}`;

const BLOCKED = `search(query: $blocked, type: ISSUE, first: ${PAGE}) {
    issueCount pageInfo { hasNextPage endCursor } nodes { ... on Issue { id } }
  }`;

/** One page of a board in full. The first page also includes the blocked issues. */
export const BOARD_PAGE = `
query BoardPage(
  $owner: String!, $number: Int!, $status: String!, $priority: String!, $after: String, $blocked: String!, $first: Boolean!
) {
  repositoryOwner(login: $owner) {
    ... on ProjectV2Owner {
      projectV2(number: $number) {
        ...ProjectParts
        items(first: ${PAGE}, after: $after) {
          totalCount pageInfo { hasNextPage endCursor }
          nodes { ...ItemParts content { __typename ... on Issue { ...IssueParts } } }
        }
      }
    }
  }
  blocked: ${BLOCKED.replace('first: 100)', 'first: 100) @include(if: $first)')}
}
${PROJECT_PARTS}${ITEM_PARTS}${ISSUE_PARTS}`;

/**
 * Returns a query for several board pages at the cursors of a full read, with only the fields
 * needed to detect changes.
 */
export function buildBoardDigestQuery(pages: number): string {
  const numbers = Array.from({ length: pages }, (_, page) => page);
  return `
query BoardDigest(
  $owner: String!, $number: Int!, $status: String!, $priority: String!, $blocked: String!, $foreign: [ID!]!,
  ${numbers.map((page) => `$after${page}: String`).join(', ')}
) {
  repositoryOwner(login: $owner) {
    ... on ProjectV2Owner {
      projectV2(number: $number) {
        ...ProjectParts
        ${numbers.map((page) => `page${page}: items(first: ${PAGE}, after: $after${page}) { ...DigestPage }`).join('\n')}
      }
    }
  }
  blocked: ${BLOCKED}
  foreign: nodes(ids: $foreign) { ... on Issue { id closed } ... on PullRequest { id closed } }
}
fragment DigestPage on ProjectV2ItemConnection {
  totalCount pageInfo { hasNextPage endCursor }
  nodes { ...ItemParts content { __typename ... on Issue { id updatedAt } } }
}
${PROJECT_PARTS}${ITEM_PARTS}`;
}

export const MORE_BLOCKED = `
query MoreBlocked($blocked: String!, $after: String) {
  blocked: search(query: $blocked, type: ISSUE, first: ${PAGE}, after: $after) {
    issueCount pageInfo { hasNextPage endCursor } nodes { ... on Issue { id } }
  }
}`;

export const ISSUES_IN_FULL = `
query IssuesInFull($ids: [ID!]!) { nodes(ids: $ids) { ... on Issue { ...IssueParts } } }
${ISSUE_PARTS}`;

/** One issue with its boards and its last closing event. */
export const READ_ISSUE = `
query ReadIssue($id: ID!, $status: String!, $priority: String!) {
  node(id: $id) {
    ... on Issue {
      ...IssueParts
      closed: timelineItems(itemTypes: [CLOSED_EVENT], last: 1) {
        nodes { ... on ClosedEvent { actor { __typename login } closer { __typename } } }
      }
      projectItems(first: ${PAGE}) {
        pageInfo { hasNextPage endCursor }
        nodes { ...ItemParts project { ...ProjectParts } }
      }
    }
  }
}
${PROJECT_PARTS}${ITEM_PARTS}${ISSUE_PARTS}`;

export const MORE_LABELS = `
query MoreLabels($id: ID!, $after: String) {
  node(id: $id) {
    ... on Issue { labels(first: ${PAGE}, after: $after) { nodes { id name } pageInfo { hasNextPage endCursor } } }
  }
}`;

/** Reads comments backwards, because most callers need only the newest. */
export const COMMENTS_PAGE = `
query CommentsPage($id: ID!, $before: String) {
  node(id: $id) {
    ... on Issue {
      projectItems(first: ${PAGE}) { nodes { isArchived project { id } } }
      comments(last: ${PAGE}, before: $before) {
        pageInfo { hasPreviousPage startCursor } nodes { ...CommentParts }
      }
    }
  }
}
${COMMENT_PARTS}`;

/**
 * Returns a query for the states of issues or pull requests: whether each is open, and in which
 * column.
 */
export function buildStatesQuery(count: number): string {
  const indices = Array.from({ length: count }, (_, index) => index);
  return `
query StatesOf($status: String!, ${indices.map((index) => `$owner${index}: String!, $name${index}: String!, $number${index}: Int!`).join(', ')}) {
  ${indices
    .map(
      (index) => `a${index}: repository(owner: $owner${index}, name: $name${index}) {
    issueOrPullRequest(number: $number${index}) { ...State }
  }`,
    )
    .join('\n  ')}
}
fragment State on IssueOrPullRequest {
  ... on PullRequest { id closed }
  ... on Issue {
    id closed
    projectItems(first: 20) {
      nodes {
        isArchived project { id }
        status: fieldValueByName(name: $status) { ... on ProjectV2ItemFieldSingleSelectValue { name } }
      }
    }
  }
}`;
}

/** Fields that show whether Legion created an issue, and for which key. */
export const MADE = `
fragment Made on Issue { id number body updatedAt author { __typename login } ${REPOSITORY} }`;

/** All sub-issues of an issue. */
export const SUB_ISSUES = `
query SubIssues($id: ID!, $after: String) {
  node(id: $id) {
    ... on Issue {
      subIssues(first: ${PAGE}, after: $after) {
        pageInfo { hasNextPage endCursor } nodes { ...Made }
      }
    }
  }
}
${MADE}`;

/** A repository's issues that were changed since a given time. */
export const ISSUES_SINCE = `
query IssuesSince($owner: String!, $name: String!, $filter: IssueFilters!, $after: String) {
  repository(owner: $owner, name: $name) {
    issues(first: ${PAGE}, after: $after, filterBy: $filter, orderBy: { field: CREATED_AT, direction: ASC }) {
      pageInfo { hasNextPage endCursor } nodes { ...Made }
    }
  }
}
${MADE}`;

/**
 * Maximum number of issues that a repository may gain between the search and the creation. Even if
 * other writes are queued first, only a second or two pass in between.
 */
const MADE_BESIDE = 50;

/**
 * Creates an issue. The response includes the parent's sub-issues, or the repository's newest
 * issues if there is no parent, because another process may have created the same one.
 */
export const CREATE_ISSUE = `
mutation LegionCreates($input: CreateIssueInput!, $isPart: Boolean!) {
  createIssue(input: $input) {
    issue {
      ...Made
      parent @include(if: $isPart) { subIssues(first: ${PAGE}) { nodes { ...Made } } }
      beside: repository @skip(if: $isPart) {
        issues(last: ${MADE_BESIDE}, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { ...Made } }
      }
    }
  }
}
${MADE}`;

export const PUT_ON_BOARD = `
mutation PutOnBoard($input: AddProjectV2ItemByIdInput!) {
  addProjectV2ItemById(input: $input) { item { id } }
}`;
