/** Formats nodes as the REST API and webhooks do. */
import { formatGithubTime } from '../graphql/shape.ts';
import { toAccountPath, toRepositoryPath, toThreadPath } from '../graphql/types/urls.ts';
import { getAuthorAssociation } from '../model/access.ts';
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

export function toAccountJson(account: Account, url: string) {
  return {
    login: account.login,
    id: account.databaseId,
    node_id: account.id,
    url: `${url}/api/v3/users/${account.login}`,
    html_url: `${url}${toAccountPath(account)}`,
    type: account.type,
    site_admin: false,
  };
}

export function toRepositoryJson(repository: Repository, url: string) {
  return {
    id: repository.databaseId,
    node_id: repository.id,
    name: repository.name,
    full_name: nameOf(repository),
    private: repository.private,
    owner: toAccountJson(repository.owner, url),
    html_url: `${url}${toRepositoryPath(repository)}`,
    clone_url: `${url}${toRepositoryPath(repository)}.git`,
    url: `${url}/api/v3/repos/${nameOf(repository)}`,
    default_branch: repository.base,
    visibility: repository.private ? 'private' : 'public',
    archived: false,
    fork: false,
  };
}

export function toLabelJson(label: Label, url: string) {
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

export function toIssueJson(issue: Issue | PullRequest, url: string) {
  const place = `${url}/api/v3/repos/${nameOf(issue.repository)}`;
  return {
    id: issue.databaseId,
    node_id: issue.id,
    number: issue.number,
    url: `${place}/issues/${issue.number}`,
    repository_url: place,
    html_url: `${url}${toThreadPath(issue)}`,
    title: issue.title,
    body: issue.body,
    user: toAccountJson(issue.author, url),
    labels: issue.labels.map((label) => toLabelJson(label, url)),
    state: issue.state === 'OPEN' ? 'open' : 'closed',
    state_reason: issue.type === 'Issue' ? (issue.stateReason?.toLowerCase() ?? null) : null,
    comments: issue.comments.length,
    created_at: formatGithubTime(issue.createdAt),
    updated_at: formatGithubTime(issue.updatedAt),
    closed_at: formatGithubTime(issue.closedAt),
    author_association: getAuthorAssociation(issue.repository, issue.author),
    ...(issue.type === 'PullRequest'
      ? { pull_request: { url: `${place}/pulls/${issue.number}`, html_url: `${url}${toThreadPath(issue)}` } }
      : {}),
  };
}

export function toPullRequestJson(pullRequest: PullRequest, url: string) {
  const { repository, merged } = pullRequest;
  const side = (ref: string, sha: string) => ({
    label: `${repository.owner.login}:${ref}`,
    ref,
    sha,
    user: toAccountJson(repository.owner, url),
    repo: toRepositoryJson(repository, url),
  });
  const {
    pull_request: _,
    state_reason: __,
    ...issue
  } = toIssueJson(pullRequest, url) as ReturnType<typeof toIssueJson> & {
    pull_request?: unknown;
  };
  return {
    ...issue,
    url: `${url}/api/v3/repos/${nameOf(repository)}/pulls/${pullRequest.number}`,
    draft: pullRequest.draft,
    merged: merged !== undefined,
    merged_at: formatGithubTime(merged?.at),
    merge_commit_sha: merged?.oid ?? null,
    merged_by: merged === undefined ? null : toAccountJson(merged.by, url),
    mergeable: null,
    mergeable_state: 'unknown',
    head: side(pullRequest.head, pullRequest.headOid),
    base: side(pullRequest.base, pullRequest.baseOid),
  };
}

export function toCommentJson(comment: CommentNode, url: string) {
  const place = `${url}/api/v3/repos/${nameOf(comment.on.repository)}`;
  return {
    id: comment.databaseId,
    node_id: comment.id,
    url: `${place}/issues/comments/${comment.databaseId}`,
    html_url: `${url}${toThreadPath(comment.on)}#issuecomment-${comment.databaseId}`,
    issue_url: `${place}/issues/${comment.on.number}`,
    user: toAccountJson(comment.author, url),
    body: comment.body,
    created_at: formatGithubTime(comment.createdAt),
    updated_at: formatGithubTime(comment.updatedAt),
    author_association: getAuthorAssociation(comment.on.repository, comment.author),
  };
}

export function toReviewJson(review: Review, url: string) {
  return {
    id: review.databaseId,
    node_id: review.id,
    user: toAccountJson(review.author, url),
    body: review.body,
    commit_id: review.oid,
    submitted_at: formatGithubTime(review.createdAt),
    state: review.state.toLowerCase(),
    html_url: `${url}${toThreadPath(review.on)}#pullrequestreview-${review.databaseId}`,
    pull_request_url: `${url}/api/v3/repos/${nameOf(review.on.repository)}/pulls/${review.on.number}`,
    author_association: getAuthorAssociation(review.on.repository, review.author),
  };
}

export function checkRunJson(check: CheckRunNode, url: string) {
  return {
    id: check.databaseId,
    node_id: check.id,
    name: check.name,
    head_sha: check.sha,
    url: `${url}/api/v3/repos/${nameOf(check.repository)}/check-runs/${check.databaseId}`,
    html_url: `${url}${toRepositoryPath(check.repository)}/runs/${check.databaseId}`,
    status: check.conclusion === null ? 'in_progress' : 'completed',
    conclusion: check.conclusion?.toLowerCase() ?? null,
    started_at: formatGithubTime(check.createdAt),
    completed_at: formatGithubTime(check.completedAt),
    output: { title: check.summary === null ? null : check.name, summary: check.summary, text: null },
  };
}
