/** Nodes as the REST API and webhooks write them. */
import { time } from '../graphql/shape.ts';
import { accountPath, repositoryPath, threadPath } from '../graphql/types/urls.ts';
import { association } from '../model/access.ts';
import type {
  Account,
  CheckRunNode,
  CommentNode,
  Issue,
  Label,
  PullRequest,
  Repository,
  Review,
} from '../model/nodes.ts';
import { nameOf } from '../model/repositories.ts';

export function accountJson(account: Account, url: string) {
  return {
    login: account.login,
    id: account.databaseId,
    node_id: account.id,
    url: `${url}/api/v3/users/${account.login}`,
    html_url: `${url}${accountPath(account)}`,
    type: account.type,
    site_admin: false,
  };
}

export function repositoryJson(repository: Repository, url: string) {
  return {
    id: repository.databaseId,
    node_id: repository.id,
    name: repository.name,
    full_name: nameOf(repository),
    private: repository.private,
    owner: accountJson(repository.owner, url),
    html_url: `${url}${repositoryPath(repository)}`,
    clone_url: `${url}${repositoryPath(repository)}.git`,
    url: `${url}/api/v3/repos/${nameOf(repository)}`,
    default_branch: repository.base,
    visibility: repository.private ? 'private' : 'public',
    archived: false,
    fork: false,
  };
}

export function labelJson(label: Label, url: string) {
  return {
    id: label.databaseId,
    node_id: label.id,
    url: `${url}/api/v3/repos/${nameOf(label.repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: false,
    description: label.description,
  };
}

export function issueJson(issue: Issue | PullRequest, url: string) {
  const place = `${url}/api/v3/repos/${nameOf(issue.repository)}`;
  return {
    id: issue.databaseId,
    node_id: issue.id,
    number: issue.number,
    url: `${place}/issues/${issue.number}`,
    repository_url: place,
    html_url: `${url}${threadPath(issue)}`,
    title: issue.title,
    body: issue.body,
    user: accountJson(issue.author, url),
    labels: issue.labels.map((label) => labelJson(label, url)),
    state: issue.state === 'OPEN' ? 'open' : 'closed',
    state_reason: issue.type === 'Issue' ? (issue.stateReason?.toLowerCase() ?? null) : null,
    comments: issue.comments.length,
    created_at: time(issue.createdAt),
    updated_at: time(issue.updatedAt),
    closed_at: time(issue.closedAt),
    author_association: association(issue.repository, issue.author),
    ...(issue.type === 'PullRequest'
      ? { pull_request: { url: `${place}/pulls/${issue.number}`, html_url: `${url}${threadPath(issue)}` } }
      : {}),
  };
}

export function pullRequestJson(pullRequest: PullRequest, url: string) {
  const { repository, merged } = pullRequest;
  const side = (ref: string, sha: string) => ({
    label: `${repository.owner.login}:${ref}`,
    ref,
    sha,
    user: accountJson(repository.owner, url),
    repo: repositoryJson(repository, url),
  });
  const {
    pull_request: _,
    state_reason: __,
    ...issue
  } = issueJson(pullRequest, url) as ReturnType<typeof issueJson> & {
    pull_request?: unknown;
  };
  return {
    ...issue,
    url: `${url}/api/v3/repos/${nameOf(repository)}/pulls/${pullRequest.number}`,
    draft: pullRequest.draft,
    merged: merged !== undefined,
    merged_at: time(merged?.at),
    merge_commit_sha: merged?.oid ?? null,
    merged_by: merged === undefined ? null : accountJson(merged.by, url),
    mergeable: null,
    mergeable_state: 'unknown',
    head: side(pullRequest.head, pullRequest.headOid),
    base: side(pullRequest.base, pullRequest.baseOid),
  };
}

export function commentJson(comment: CommentNode, url: string) {
  const place = `${url}/api/v3/repos/${nameOf(comment.on.repository)}`;
  return {
    id: comment.databaseId,
    node_id: comment.id,
    url: `${place}/issues/comments/${comment.databaseId}`,
    html_url: `${url}${threadPath(comment.on)}#issuecomment-${comment.databaseId}`,
    issue_url: `${place}/issues/${comment.on.number}`,
    user: accountJson(comment.author, url),
    body: comment.body,
    created_at: time(comment.createdAt),
    updated_at: time(comment.updatedAt),
    author_association: association(comment.on.repository, comment.author),
  };
}

export function reviewJson(review: Review, url: string) {
  return {
    id: review.databaseId,
    node_id: review.id,
    user: accountJson(review.author, url),
    body: review.body,
    commit_id: review.oid,
    submitted_at: time(review.createdAt),
    state: review.state.toLowerCase(),
    html_url: `${url}${threadPath(review.on)}#pullrequestreview-${review.databaseId}`,
    pull_request_url: `${url}/api/v3/repos/${nameOf(review.on.repository)}/pulls/${review.on.number}`,
    author_association: association(review.on.repository, review.author),
  };
}

export function checkRunJson(check: CheckRunNode, url: string) {
  return {
    id: check.databaseId,
    node_id: check.id,
    name: check.name,
    head_sha: check.sha,
    url: `${url}/api/v3/repos/${nameOf(check.repository)}/check-runs/${check.databaseId}`,
    html_url: `${url}${repositoryPath(check.repository)}/runs/${check.databaseId}`,
    status: check.conclusion === null ? 'in_progress' : 'completed',
    conclusion: check.conclusion?.toLowerCase() ?? null,
    started_at: time(check.createdAt),
    completed_at: time(check.completedAt),
    output: { title: check.summary === null ? null : check.name, summary: check.summary, text: null },
  };
}
