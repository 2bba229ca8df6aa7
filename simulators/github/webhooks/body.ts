/**
 * Builds the webhook body for a change: GitHub's own example of the event with the changed values
 * filled in.
 */
import { formatGithubTime } from '../graphql/shape.ts';
import type { GithubChange } from '../model/change.ts';
import type { Account, CheckRunNode, ProjectItem, PullRequest, Repository } from '../model/nodes.ts';
import { openPullRequests } from '../model/pull-requests.ts';
import { nameOf } from '../model/repositories.ts';
import {
  checkRunJson,
  toAccountJson,
  toCommentJson,
  toIssueJson,
  toLabelJson,
  toPullRequestJson,
  toRepositoryJson,
  toReviewJson,
} from '../rest/json.ts';
import { copyExample, mergeIntoExample, type WebhookBody } from './example.ts';

/** Returns undefined for changes without a GitHub webhook. */
export function buildWebhookBody(change: GithubChange, url: string): WebhookBody | undefined {
  const action = 'action' in change ? change.action : undefined;
  const example = copyExample(change.event, action);
  const body: WebhookBody = {
    ...example,
    ...(action === undefined ? {} : { action }),
    sender: toAccountJson(change.by, url),
  };
  delete body.installation;
  delete body.changes;
  switch (change.event) {
    case 'issues':
      body.issue = mergeIntoExample(example.issue, toIssueJson(change.issue, url));
      if (change.label === undefined) delete body.label;
      else body.label = toLabelJson(change.label, url);
      if (change.action === 'edited') body.changes = {};
      return withRepository(body, change.issue.repository, url);
    case 'issue_comment':
      body.comment = mergeIntoExample(example.comment, toCommentJson(change.comment, url));
      body.issue = mergeIntoExample(example.issue, toIssueJson(change.comment.on, url));
      if (change.action === 'edited') body.changes = {};
      return withRepository(body, change.comment.on.repository, url);
    case 'pull_request':
      body.number = change.pullRequest.number;
      body.pull_request = mergeIntoExample(example.pull_request, toPullRequestJson(change.pullRequest, url));
      if (change.label === undefined) delete body.label;
      else body.label = toLabelJson(change.label, url);
      if (change.action === 'synchronize') {
        body.before = change.before;
        body.after = change.pullRequest.headOid;
      }
      if (change.action === 'edited') body.changes = {};
      return withRepository(body, change.pullRequest.repository, url);
    case 'pull_request_review':
      body.review = mergeIntoExample(example.review, toReviewJson(change.review, url));
      body.pull_request = mergeIntoExample(example.pull_request, toPullRequestJson(change.review.on, url));
      return withRepository(body, change.review.on.repository, url);
    case 'check_run':
      body.check_run = checkRun(example.check_run, change.check, url);
      return withRepository(body, change.check.repository, url);
    case 'check_suite':
      body.check_suite = mergeIntoExample(example.check_suite, toCheckSuite(change.check, url));
      return withRepository(body, change.check.repository, url);
    case 'status':
      return status(body, change);
    case 'push':
      return push(body, change, url);
    case 'projects_v2_item':
      // Only an organization's projects have webhooks.
      return change.item.project.owner.type === 'Organization'
        ? withProjectItem(body, change, url)
        : undefined;
  }

  function status(
    into: WebhookBody,
    { status: it }: Extract<GithubChange, { event: 'status' }>,
  ): WebhookBody {
    const name = nameOf(it.repository);
    return withRepository(
      {
        ...into,
        id: it.databaseId,
        sha: it.sha,
        name,
        context: it.context,
        description: it.description,
        state: it.state.toLowerCase(),
        commit: mergeIntoExample(into.commit, { sha: it.sha }),
        branches: listBranchesAt(it.repository, it.sha).map((branch) => ({
          name: branch,
          commit: { sha: it.sha },
          protected: false,
        })),
        created_at: formatGithubTime(it.createdAt),
        updated_at: formatGithubTime(it.createdAt),
      },
      it.repository,
      url,
    );
  }
}

function withRepository(body: WebhookBody, repository: Repository, url: string): WebhookBody {
  body.repository = mergeIntoExample(body.repository, toRepositoryJson(repository, url));
  return withOrganization(body, repository.owner, url);
}

function withOrganization(body: WebhookBody, owner: Account, url: string): WebhookBody {
  if (owner.type === 'Organization')
    body.organization = mergeIntoExample(body.organization, toAccountJson(owner, url));
  else delete body.organization;
  return body;
}

function checkRun(example: unknown, check: CheckRunNode, url: string): WebhookBody {
  const run = mergeIntoExample(example, checkRunJson(check, url));
  run.check_suite = mergeIntoExample(run.check_suite, toCheckSuite(check, url));
  run.pull_requests = listPullRequestsAt(check, url);
  return run;
}

function toCheckSuite(check: CheckRunNode, url: string) {
  const { repository, sha } = check;
  return {
    head_branch: listBranchesAt(repository, sha)[0] ?? null,
    head_sha: sha,
    after: sha,
    status: check.conclusion === null ? 'in_progress' : 'completed',
    conclusion: check.conclusion?.toLowerCase() ?? null,
    pull_requests: listPullRequestsAt(check, url),
    updated_at: formatGithubTime(check.completedAt ?? check.createdAt),
  };
}

function listPullRequestsAt({ repository, sha }: CheckRunNode, url: string) {
  const repo = {
    id: repository.databaseId,
    name: repository.name,
    url: `${url}/api/v3/repos/${nameOf(repository)}`,
  };
  return openPullRequests(repository)
    .filter(({ headOid }) => headOid === sha)
    .map((each: PullRequest) => ({
      id: each.databaseId,
      number: each.number,
      url: `${repo.url}/pulls/${each.number}`,
      head: { ref: each.head, sha: each.headOid, repo },
      base: { ref: each.base, sha: each.baseOid, repo },
    }));
}

function listBranchesAt({ refs }: Repository, sha: string): string[] {
  return [...refs].flatMap(([ref, oid]) => (oid === sha ? [ref.replace('refs/heads/', '')] : []));
}

function push(body: WebhookBody, change: Extract<GithubChange, { event: 'push' }>, url: string): WebhookBody {
  const { repository, ref, before, after, by } = change;
  const none = /^0+$/;
  return withRepository(
    {
      ...body,
      ref,
      before,
      after,
      created: none.test(before),
      deleted: none.test(after),
      forced: false,
      base_ref: null,
      compare: `${url}/${nameOf(repository)}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
      commits: [],
      head_commit: none.test(after)
        ? null
        : { id: after, distinct: true, message: '', author: { name: by.login } },
      pusher: { name: by.login, email: `${by.login}@example.com` },
    },
    repository,
    url,
  );
}

function withProjectItem(
  body: WebhookBody,
  change: Extract<GithubChange, { event: 'projects_v2_item' }>,
  url: string,
): WebhookBody {
  const { item, field, action } = change;
  const { project } = item;
  const written: WebhookBody = {
    ...body,
    projects_v2_item: mergeIntoExample(body.projects_v2_item, toItemJson(item, url)),
  };
  delete written.repository;
  const changed = project.fields.find(({ name }) => name === field);
  if (action === 'edited' && changed !== undefined) {
    written.changes = {
      field_value: {
        field_node_id: changed.id,
        field_type: changed.dataType.toLowerCase(),
        field_name: changed.name,
        project_number: project.number,
      },
    };
  }
  return withOrganization(written, project.owner, url);
}

function toItemJson(item: ProjectItem, url: string) {
  return {
    id: item.databaseId,
    node_id: item.id,
    project_node_id: item.project.id,
    content_node_id: item.content.id,
    content_type: item.content.type,
    creator: toAccountJson(item.creator, url),
    created_at: formatGithubTime(item.createdAt),
    updated_at: formatGithubTime(item.updatedAt),
    archived_at: item.archived ? formatGithubTime(item.updatedAt) : null,
  };
}
