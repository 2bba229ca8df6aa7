/** What the forge asks GitHub for before it writes, and the changes it asks for. */

const REPOSITORY = 'repository(owner: $owner, name: $name)';

/** A pull request by its number, as those who change it need it. */
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

/** The newest first, a page at a time. */
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

/** Pending ones are seen by nobody but who writes them. */
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
