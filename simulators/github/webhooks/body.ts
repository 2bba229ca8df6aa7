/** The body of the webhook that a change causes: GitHub's own example of the event with the changed values put in. */
import { time } from '../graphql/shape.ts';
import type { Change } from '../model/change.ts';
import type { Account, CheckRunNode, Item, PullRequest, Repository } from '../model/nodes.ts';
import { openPullRequests } from '../model/pull-requests.ts';
import { nameOf } from '../model/repositories.ts';
import {
  accountJson,
  checkRunJson,
  commentJson,
  issueJson,
  labelJson,
  pullRequestJson,
  repositoryJson,
  reviewJson,
} from '../rest/json.ts';
import { type Body, exampleOf, filled } from './example.ts';

/** Undefined for what GitHub sends no webhook of. */
export function bodyOf(change: Change, url: string): Body | undefined {
  const action = 'action' in change ? change.action : undefined;
  const example = exampleOf(change.event, action);
  const body: Body = {
    ...example,
    ...(action === undefined ? {} : { action }),
    sender: accountJson(change.by, url),
  };
  delete body.installation;
  delete body.changes;
  switch (change.event) {
    case 'issues':
      body.issue = filled(example.issue, issueJson(change.issue, url));
      if (change.label === undefined) delete body.label;
      else body.label = labelJson(change.label, url);
      if (change.action === 'edited') body.changes = {};
      return placed(body, change.issue.repository, url);
    case 'issue_comment':
      body.comment = filled(example.comment, commentJson(change.comment, url));
      body.issue = filled(example.issue, issueJson(change.comment.on, url));
      if (change.action === 'edited') body.changes = {};
      return placed(body, change.comment.on.repository, url);
    case 'pull_request':
      body.number = change.pullRequest.number;
      body.pull_request = filled(example.pull_request, pullRequestJson(change.pullRequest, url));
      if (change.label === undefined) delete body.label;
      else body.label = labelJson(change.label, url);
      if (change.action === 'synchronize') {
        body.before = change.before;
        body.after = change.pullRequest.headOid;
      }
      if (change.action === 'edited') body.changes = {};
      return placed(body, change.pullRequest.repository, url);
    case 'pull_request_review':
      body.review = filled(example.review, reviewJson(change.review, url));
      body.pull_request = filled(example.pull_request, pullRequestJson(change.review.on, url));
      return placed(body, change.review.on.repository, url);
    case 'check_run':
      body.check_run = checkRun(example.check_run, change.check, url);
      return placed(body, change.check.repository, url);
    case 'check_suite':
      body.check_suite = filled(example.check_suite, suite(change.check, url));
      return placed(body, change.check.repository, url);
    case 'status':
      return status(body, change);
    case 'push':
      return push(body, change, url);
    case 'projects_v2_item':
      // Only an organization's projects have webhooks.
      return change.item.project.owner.type === 'Organization' ? projectItem(body, change, url) : undefined;
  }

  function status(into: Body, { status: it }: Extract<Change, { event: 'status' }>): Body {
    const name = nameOf(it.repository);
    return placed(
      {
        ...into,
        id: it.databaseId,
        sha: it.sha,
        name,
        context: it.context,
        description: it.description,
        state: it.state.toLowerCase(),
        commit: filled(into.commit, { sha: it.sha }),
        branches: branchesAt(it.repository, it.sha).map((branch) => ({
          name: branch,
          commit: { sha: it.sha },
          protected: false,
        })),
        created_at: time(it.createdAt),
        updated_at: time(it.createdAt),
      },
      it.repository,
      url,
    );
  }
}

function placed(body: Body, repository: Repository, url: string): Body {
  body.repository = filled(body.repository, repositoryJson(repository, url));
  return organization(body, repository.owner, url);
}

function organization(body: Body, owner: Account, url: string): Body {
  if (owner.type === 'Organization') body.organization = filled(body.organization, accountJson(owner, url));
  else delete body.organization;
  return body;
}

function checkRun(example: unknown, check: CheckRunNode, url: string): Body {
  const run = filled(example, checkRunJson(check, url));
  run.check_suite = filled(run.check_suite, suite(check, url));
  run.pull_requests = pullRequestsAt(check, url);
  return run;
}

function suite(check: CheckRunNode, url: string) {
  const { repository, sha } = check;
  return {
    head_branch: branchesAt(repository, sha)[0] ?? null,
    head_sha: sha,
    after: sha,
    status: check.conclusion === null ? 'in_progress' : 'completed',
    conclusion: check.conclusion?.toLowerCase() ?? null,
    pull_requests: pullRequestsAt(check, url),
    updated_at: time(check.completedAt ?? check.createdAt),
  };
}

function pullRequestsAt({ repository, sha }: CheckRunNode, url: string) {
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

function branchesAt({ refs }: Repository, sha: string): string[] {
  return [...refs].flatMap(([ref, oid]) => (oid === sha ? [ref.replace('refs/heads/', '')] : []));
}

function push(body: Body, change: Extract<Change, { event: 'push' }>, url: string): Body {
  const { repository, ref, before, after, by } = change;
  const none = /^0+$/;
  return placed(
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

function projectItem(body: Body, change: Extract<Change, { event: 'projects_v2_item' }>, url: string): Body {
  const { item, field, action } = change;
  const { project } = item;
  const written: Body = { ...body, projects_v2_item: filled(body.projects_v2_item, itemJson(item, url)) };
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
  return organization(written, project.owner, url);
}

function itemJson(item: Item, url: string) {
  return {
    id: item.databaseId,
    node_id: item.id,
    project_node_id: item.project.id,
    content_node_id: item.content.id,
    content_type: item.content.type,
    creator: accountJson(item.creator, url),
    created_at: time(item.createdAt),
    updated_at: time(item.updatedAt),
    archived_at: item.archived ? time(item.updatedAt) : null,
  };
}
