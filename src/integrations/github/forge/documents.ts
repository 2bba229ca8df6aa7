/** What the forge asks GitHub for when it reads pull requests. */

/** Of one branch at once: the open one and the one before it. More than these is rare, and then asked for by itself. */
const OF_BRANCH = 2;
/** Of one issue at once: pull requests that say they close it. */
const OF_ISSUE = 5;
/** What GitHub gives at most in one page. */
export const PAGE = 100;
/** Reviews that come with the pull request itself; where there are more, the earlier ones are asked for by pages. */
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

/** Dismissed ones have a state of their own, and are not asked for. */
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

export interface Wanted {
  readonly branches: number;
  /** The places, among the branches, of those that are looked for by their issue as well. */
  readonly links: readonly number[];
  /** How many pull requests are looked for by their number as well. */
  readonly attached: number;
}

/** Each branch by an alias of the repository itself: an error of one then leaves the others. */
export function byBranch(
  name: string,
  kind: 'Full' | 'Light',
  { branches, links, attached }: Wanted,
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
  const asked = [
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
  return `query ${name}(${declared.join(', ')}) {\n  ${BASE}\n  ${asked.join('\n  ')}\n}${fragments.join('')}`;
}

/** Those whose ids are known. */
export const BY_ID = `
query PullRequestsById($ids: [ID!]!, $contexts: Int!) { nodes(ids: $ids) { ... on PullRequest { ...Full } } }${FULL}`;

/** All of one branch, for the rare one that has many: forks may have branches of the same name. */
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
