/** GraphQL documents for reading and writing pull requests. */

/**
 * Pull requests per branch in the first request: the open one and its predecessor. Few branches
 * have more, and any further ones are read separately.
 */
const OF_BRANCH = 2;
/** Maximum number of pull requests read per issue, among those that claim to close the issue. */
const OF_ISSUE = 5;
/** GitHub's maximum page size. */
export const PAGE = 100;
/** Number of reviews included with the pull request. Earlier ones are read page by page. */
const REVIEWS = 50;

const LIGHT = `
fragment Light on PullRequest {
  id number state updatedAt isDraft isCrossRepository headRefName headRefOid mergeable
  statusCheckRollup {
    state
    contexts(first: $contexts) {
      pageInfo { hasNextPage endCursor }
      checkRunCountsByState { state count }
      statusContextCountsByState { state count }
      nodes { ... on CheckRun { name } ... on StatusContext { context } }
    }
  }
}`;

const REVIEW = `
fragment Review on PullRequestReview { id state body createdAt author { __typename login } commit { oid } }`;

/** Excludes dismissed reviews, which have their own state. */
const STATES = 'states: [APPROVED, CHANGES_REQUESTED, COMMENTED]';

const FULL = `
fragment Full on PullRequest {
  ...Light
  title body additions deletions
  author { __typename login }
  mergeCommit { oid }
  labels(first: ${PAGE}) { nodes { name } }
  files(first: ${PAGE}) { pageInfo { hasNextPage } nodes { path changeType } }
  opinions: latestOpinionatedReviews(first: ${PAGE}, writersOnly: true) { nodes { ...Review } }
  reviews(last: ${REVIEWS}, ${STATES}) { pageInfo { hasPreviousPage startCursor } nodes { ...Review } }
}
${REVIEW}${LIGHT}`;

const LINKED = `
fragment Linked on PullRequest { ...Light baseRefName repository { nameWithOwner } }`;

const BASE = `base: repository(owner: $owner, name: $name) {
    ref(qualifiedName: $ref) { target { oid } refUpdateRule { requiredStatusCheckContexts } }
  }`;

export interface BranchQueryShape {
  readonly branches: number;
  /** Indices of the branches whose pull requests are also searched by issue. */
  readonly links: readonly number[];
  /** Number of pull requests that are also read by number. */
  readonly attached: number;
}

/** Gives each branch its own alias of the repository, so that an error affects only that branch. */
export function buildBranchQuery(
  name: string,
  kind: 'Full' | 'Light',
  { branches, links, attached }: BranchQueryShape,
): string {
  const indices = [...Array(branches).keys()];
  const numbers = [...Array(attached).keys()];
  const declared = [
    '$owner: String!, $name: String!, $ref: String!, $into: String!, $contexts: Int!',
    ...indices.map((at) => `$b${at}: String!`),
    ...links.map((at) => `$o${at}: String!, $r${at}: String!, $n${at}: Int!`),
    ...numbers.map((at) => `$a${at}: Int!`),
  ];
  const filter =
    'baseRefName: $into, states: [OPEN, MERGED], orderBy: { field: CREATED_AT, direction: DESC }';
  const selections = [
    ...indices.map(
      (at) =>
        `b${at}: repository(owner: $owner, name: $name) { pullRequests(headRefName: $b${at}, first: ${OF_BRANCH}, ${filter}) { pageInfo { hasNextPage } nodes { ...${kind} } } }`,
    ),
    ...links.map(
      (at) =>
        `l${at}: repository(owner: $o${at}, name: $r${at}) { issue(number: $n${at}) { closedByPullRequestsReferences(first: ${OF_ISSUE}, includeClosedPrs: true) { nodes { ...Linked } } } }`,
    ),
    ...numbers.map(
      (at) => `a${at}: repository(owner: $owner, name: $name) { pullRequest(number: $a${at}) { ...Linked } }`,
    ),
  ];
  const isLinked = links.length + attached > 0;
  const fragments = [kind === 'Full' ? FULL : LIGHT, ...(isLinked ? [LINKED] : [])];
  return `query ${name}(${declared.join(', ')}) {\n  ${BASE}\n  ${selections.join('\n  ')}\n}${fragments.join('')}`;
}

/** Reads pull requests by known id. */
export const BY_ID = `
query PullRequestsById($ids: [ID!]!, $contexts: Int!) { nodes(ids: $ids) { ... on PullRequest { ...Full } } }${FULL}`;

/**
 * Reads all pull requests of one branch. Few branches have many, but forks may use the same branch
 * name.
 */
export const CANDIDATES = `
query PullRequestsOfBranch($owner: String!, $name: String!, $into: String!, $branch: String!, $after: String, $contexts: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequests(headRefName: $branch, baseRefName: $into, states: [OPEN, MERGED], first: ${PAGE}, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes { ...Light }
    }
  }
}${LIGHT}`;

export const EARLIER_REVIEWS = `
query EarlierReviews($id: ID!, $before: String) {
  node(id: $id) {
    ... on PullRequest {
      reviews(last: ${PAGE}, before: $before, ${STATES}) { pageInfo { hasPreviousPage startCursor } nodes { ...Review } }
    }
  }
}${REVIEW}`;

/** Names of further checks of a pull request's head. */
export const MORE_CHECKS = `
query MoreChecks($id: ID!, $after: String) {
  node(id: $id) {
    ... on PullRequest {
      statusCheckRollup {
        contexts(first: ${PAGE}, after: $after) {
          pageInfo { hasNextPage endCursor }
          nodes { ... on CheckRun { name } ... on StatusContext { context } }
        }
      }
    }
  }
}`;

export const CHECKS_OF_COMMIT = `
query ChecksOfCommit($owner: String!, $name: String!, $sha: GitObjectID!, $after: String) {
  repository(owner: $owner, name: $name) {
    object(oid: $sha) {
      ... on Commit {
        statusCheckRollup {
          contexts(first: ${PAGE}, after: $after) {
            pageInfo { hasNextPage endCursor }
            nodes {
              __typename
              ... on CheckRun { databaseId name conclusion detailsUrl title summary text }
              ... on StatusContext { context state description targetUrl }
            }
          }
        }
      }
    }
  }
}`;

const REPOSITORY = 'repository(owner: $owner, name: $name)';

/** Reads a pull request by number, with the fields needed to change it. */
export const PULL_REQUEST = `
query PullRequestToChange($owner: String!, $name: String!, $number: Int!) {
  ${REPOSITORY} {
    id
    pullRequest(number: $number) {
      id number state isDraft title body headRefName headRefOid
      author { __typename login }
      labels(first: 100) { nodes { id name } }
    }
  }
}`;

export const BEFORE_OPENING = `
query BeforeOpening($owner: String!, $name: String!, $baseRef: String!, $headRef: String!, $head: String!, $into: String!, $after: String) {
  ${REPOSITORY} {
    id
    base: ref(qualifiedName: $baseRef) { target { oid } }
    head: ref(qualifiedName: $headRef) { target { oid } }
    pullRequests(headRefName: $head, baseRefName: $into, states: [OPEN, MERGED], first: 50, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      pageInfo { hasNextPage endCursor }
      nodes { number state isCrossRepository headRefOid body author { __typename login } }
    }
  }
}`;

export const BEFORE_REVIEWING = `
query BeforeReviewing($owner: String!, $name: String!, $number: Int!, $sha: GitObjectID!, $before: String) {
  ${REPOSITORY} {
    id
    object(oid: $sha) { ... on Commit { oid } }
    pullRequest(number: $number) {
      id number state body headRefName
      author { __typename login }
      labels(first: 100) { nodes { id name } }
      reviews(last: 100, before: $before, states: [APPROVED, CHANGES_REQUESTED, COMMENTED]) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id state body createdAt author { __typename login } commit { oid } }
      }
    }
  }
}`;

export const BEFORE_MERGING = `
query BeforeMerging($owner: String!, $name: String!, $number: Int!, $baseRef: String!) {
  ${REPOSITORY} {
    base: ref(qualifiedName: $baseRef) {
      target { oid }
      refUpdateRule { requiredStatusCheckContexts requiredApprovingReviewCount requiresConversationResolution requiresSignatures }
    }
    pullRequest(number: $number) {
      id number state isDraft title body headRefName headRefOid mergeable mergeStateStatus reviewDecision isMergeQueueEnabled
      author { __typename login }
      headRef { name }
      mergeCommit { oid parents(first: 1) { nodes { oid } } }
      statusCheckRollup {
        contexts(first: 100) {
          pageInfo { hasNextPage endCursor }
          nodes { ... on CheckRun { name status conclusion } ... on StatusContext { context state } }
        }
      }
    }
  }
}`;

export const BEFORE_REVERTING = `
query BeforeReverting($owner: String!, $name: String!, $number: Int!) {
  ${REPOSITORY} {
    pullRequest(number: $number) {
      number state title headRefName
      mergeCommit { oid message parents(first: 2) { totalCount } }
      commits(last: 1) { totalCount nodes { commit { message } } }
    }
  }
}`;

/** Reads the newest comments first, one page at a time. */
export const COMMENTS = `
query CommentsOfPullRequest($owner: String!, $name: String!, $number: Int!, $before: String) {
  ${REPOSITORY} {
    pullRequest(number: $number) {
      id headRefName
      comments(last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { id fullDatabaseId body createdAt authorAssociation author { __typename login } }
      }
    }
  }
}`;

/** Omits pending reviews, which only their author can see. */
export const ALL_REVIEWS = `
query ReviewsOfPullRequest($owner: String!, $name: String!, $number: Int!, $before: String) {
  ${REPOSITORY} {
    pullRequest(number: $number) {
      reviews(last: 50, before: $before, states: [APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED]) {
        pageInfo { hasPreviousPage startCursor }
        nodes {
          id state body createdAt authorAssociation authorCanPushToRepository author { __typename login } commit { oid }
          comments(first: 100) { nodes { body path line originalLine createdAt } pageInfo { hasNextPage endCursor } }
        }
      }
    }
  }
}`;

export const MORE_REVIEW_COMMENTS = `
query MoreReviewComments($id: ID!, $after: String) {
  node(id: $id) {
    ... on PullRequestReview {
      comments(first: 100, after: $after) { nodes { body path line originalLine createdAt } pageInfo { hasNextPage endCursor } }
    }
  }
}`;

export const OPEN = `
mutation OpenPullRequest($input: CreatePullRequestInput!) {
  createPullRequest(input: $input) { pullRequest { number } }
}`;

export const MERGE = `
mutation MergePullRequest($input: MergePullRequestInput!) {
  mergePullRequest(input: $input) { pullRequest { mergeCommit { oid parents(first: 1) { nodes { oid } } } } }
}`;
