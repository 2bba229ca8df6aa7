/** Every change the tracker asks GitHub for in GraphQL. */
import { MADE, PAGE } from './read-documents.ts';

/** Issues that may come to a repository between a look and the next write; a second or two, even behind other writes. */
const MADE_BESIDE = 50;

/** One change: the name of GitHub's mutation and its input. */
export interface Step {
  readonly mutation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Several changes as one request, which GitHub makes in their order; it does not stop at one that fails. */
export function inOneRequest(
  name: string,
  steps: readonly Step[],
): { document: string; variables: Record<string, unknown> } {
  const declared = steps.map(({ mutation }, index) => `$s${index}: ${inputType(mutation)}!`);
  const made = steps.map(
    ({ mutation }, index) => `s${index}: ${mutation}(input: $s${index}) { clientMutationId }`,
  );
  return {
    document: `mutation ${name}(${declared.join(', ')}) {\n  ${made.join('\n  ')}\n}`,
    variables: Object.fromEntries(steps.map(({ input }, index) => [`s${index}`, input])),
  };
}

/** The answer holds the newest comments as they are after it: somebody else may have said the same meanwhile. */
export const ADD_COMMENT = `
mutation LegionComments($input: AddCommentInput!) {
  addComment(input: $input) {
    commentEdge { node { id } }
    subject {
      ... on Issue {
        comments(last: ${PAGE}) { nodes { id fullDatabaseId createdAt body authorAssociation author { __typename login } } }
      }
    }
  }
}`;

/** The answer holds those that were made beside it, for the same reason. */
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

function inputType(mutation: string): string {
  return `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
}
