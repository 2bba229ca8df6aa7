/** Implements the routes of issue dependencies. */
import {
  canSeeNode,
  getTokenPermission,
  isInstallationLacking,
  isPermissionEnough,
} from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import { blockIssue, unblockIssue } from '../model/issues.ts';
import type { Issue } from '../model/nodes.ts';
import { toIssueJson } from './json.ts';
import { toPageResponse } from './page.ts';
import { type RestRequest, type RestRoute, requireVisibleRepository } from './route.ts';

const BLOCKED_BY = '/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by';

export const DEPENDENCY_ROUTES: readonly RestRoute[] = [
  {
    method: 'GET',
    path: BLOCKED_BY,
    as: 'token',
    answer: (asked) => list(asked, requireIssue(asked).blockedBy),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocking',
    as: 'token',
    answer: (asked) => {
      const issue = requireIssue(asked);
      const all = [...asked.desk.world.repositories.values()].flatMap(({ threads }) => threads);
      return list(
        asked,
        all.filter((each): each is Issue => each.type === 'Issue' && each.blockedBy.includes(issue)),
      );
    },
  },
  {
    method: 'POST',
    path: BLOCKED_BY,
    as: 'token',
    answer: (asked) => {
      const issue = requireWritableIssue(asked);
      const by = requireIssueById(asked, asked.body.issue_id);
      blockIssue(asked.desk.world, issue, by);
      return { status: 201, body: toIssueJson(by, asked.desk.url) };
    },
  },
  {
    method: 'DELETE',
    path: `${BLOCKED_BY}/{issue_id}`,
    as: 'token',
    answer: (asked) => {
      const issue = requireWritableIssue(asked);
      const by = requireIssueById(asked, Number(asked.parameters.issue_id));
      if (!unblockIssue(asked.desk.world, issue, by)) throw new GithubRefusal('NOT_FOUND', 'Not Found');
      return { status: 200, body: toIssueJson(by, asked.desk.url) };
    },
  },
];

function list(asked: RestRequest, issues: readonly Issue[]) {
  const { token } = asked;
  const seen = issues.filter((issue) => token !== undefined && canSeeNode(issue, token));
  return toPageResponse(
    asked,
    seen.map((issue) => ({ ...toIssueJson(issue, asked.desk.url), repository: undefined })),
  );
}

function requireIssue(asked: RestRequest): Issue {
  const thread = requireVisibleRepository(asked).threads[Number(asked.parameters.issue_number) - 1];
  if (thread?.type === 'Issue') return thread;
  throw new GithubRefusal('NOT_FOUND', 'Not Found');
}

function requireWritableIssue(asked: RestRequest): Issue {
  const issue = requireIssue(asked);
  const { token } = asked;
  if (
    token?.installation === undefined &&
    (token === undefined || !isPermissionEnough(getTokenPermission(issue.repository, token), 'TRIAGE'))
  ) {
    throw new GithubRefusal('FORBIDDEN', 'Must have triage access to the repository.');
  }
  if (isInstallationLacking(token, 'issues'))
    throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
  return issue;
}

/** Finds the issue by its globally unique id, not by its number. */
function requireIssueById({ desk, token }: RestRequest, id: unknown): Issue {
  for (const node of desk.world.nodes.values()) {
    if (node.type === 'Issue' && node.databaseId === id && token !== undefined && canSeeNode(node, token))
      return node;
  }
  throw new GithubRefusal('NOT_FOUND', 'Not Found');
}
