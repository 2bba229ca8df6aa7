/** Routes of issue dependencies. */
import { installationLacks, maySee, reaches, tokenPermission } from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import { blockIssue, unblockIssue } from '../model/issues.ts';
import type { Issue } from '../model/nodes.ts';
import { issueJson } from './json.ts';
import { paged } from './page.ts';
import { type Asked, type Route, repositoryOf } from './route.ts';

const BLOCKED_BY = '/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by';

export const DEPENDENCY_ROUTES: readonly Route[] = [
  { method: 'GET', path: BLOCKED_BY, as: 'token', answer: (asked) => list(asked, issueOf(asked).blockedBy) },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocking',
    as: 'token',
    answer: (asked) => {
      const issue = issueOf(asked);
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
      const issue = writable(asked);
      const by = byNumber(asked, asked.body.issue_id);
      blockIssue(asked.desk.world, issue, by);
      return { status: 201, body: issueJson(by, asked.desk.url) };
    },
  },
  {
    method: 'DELETE',
    path: `${BLOCKED_BY}/{issue_id}`,
    as: 'token',
    answer: (asked) => {
      const issue = writable(asked);
      const by = byNumber(asked, Number(asked.parameters.issue_id));
      if (!unblockIssue(asked.desk.world, issue, by)) throw new GithubRefusal('NOT_FOUND', 'Not Found');
      return { status: 200, body: issueJson(by, asked.desk.url) };
    },
  },
];

function list(asked: Asked, issues: readonly Issue[]) {
  const { token } = asked;
  const seen = issues.filter((issue) => token !== undefined && maySee(issue, token));
  return paged(
    asked,
    seen.map((issue) => ({ ...issueJson(issue, asked.desk.url), repository: undefined })),
  );
}

function issueOf(asked: Asked): Issue {
  const thread = repositoryOf(asked).threads[Number(asked.parameters.issue_number) - 1];
  if (thread?.type === 'Issue') return thread;
  throw new GithubRefusal('NOT_FOUND', 'Not Found');
}

function writable(asked: Asked): Issue {
  const issue = issueOf(asked);
  const { token } = asked;
  if (
    token?.installation === undefined &&
    (token === undefined || !reaches(tokenPermission(issue.repository, token), 'TRIAGE'))
  ) {
    throw new GithubRefusal('FORBIDDEN', 'Must have triage access to the repository.');
  }
  if (installationLacks(token, 'issues'))
    throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
  return issue;
}

/** By the id that no other issue of any repository has, not by its number. */
function byNumber({ desk, token }: Asked, id: unknown): Issue {
  for (const node of desk.world.nodes.values()) {
    if (node.type === 'Issue' && node.databaseId === id && token !== undefined && maySee(node, token))
      return node;
  }
  throw new GithubRefusal('NOT_FOUND', 'Not Found');
}
