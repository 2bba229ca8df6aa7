/** Every change the tracker asks GitHub for in GraphQL. */
import { MADE, PAGE } from '../../integrations/github/tracker/documents.ts';

/** Issues that may come to a repository between a look and the next write; a second or two, even behind other writes. */
const MADE_BESIDE = 50;

/** The answer holds those that were made beside it: somebody else may have made the same meanwhile. */
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
