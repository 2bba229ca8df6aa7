/**
 * Decides permissions: an account's permission on a repository or a board, narrowed by its token.
 */
import type { RepositoryPermission } from '../simulator.ts';
import { GithubRefusal } from './fault.ts';
import type { Account, GithubNode, Project, Repository } from './nodes.ts';
import type { GithubToken } from './world.ts';

/** Default permissions of an app. */
export const ALL_APP_PERMISSIONS: Readonly<Record<string, 'read' | 'write'>> = {
  actions: 'read',
  checks: 'read',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  organization_projects: 'write',
  pull_requests: 'write',
  statuses: 'read',
};

const ORDER: readonly RepositoryPermission[] = ['READ', 'TRIAGE', 'WRITE', 'MAINTAIN', 'ADMIN'];

/**
 * Returns an account's permission on a repository, or undefined for none. Public repositories are
 * readable by all.
 */
export function getPermission(repository: Repository, account: Account): RepositoryPermission | undefined {
  if (account.login === repository.owner.login) return 'ADMIN';
  const granted = repository.grants.get(account.login);
  // Members of an organization have read access by default.
  const member = repository.owner.members.has(account.login) ? 'READ' : undefined;
  return granted ?? member ?? (repository.private ? undefined : 'READ');
}

export function isCollaborator(repository: Repository, account: Account): boolean {
  return (
    account.login === repository.owner.login ||
    repository.grants.has(account.login) ||
    repository.owner.members.has(account.login)
  );
}

/**
 * Returns a token's permission. An installation has the permissions of its app, but only on the
 * repositories of its owner.
 */
export function getTokenPermission(
  repository: Repository,
  token: GithubToken,
): RepositoryPermission | undefined {
  const open = repository.private ? undefined : 'READ';
  if (token.installation !== undefined) {
    if (!isInstalledOn(token, repository)) return open;
    const { contents } = token.permissions ?? ALL_APP_PERMISSIONS;
    return contents === 'write' ? 'WRITE' : 'READ';
  }
  if (token.scopes !== undefined && !token.scopes.includes('repo')) {
    return token.scopes.includes('public_repo') && !repository.private
      ? getPermission(repository, token.account)
      : open;
  }
  return getPermission(repository, token.account);
}

/** Returns whether an app's token gives access to this repository. */
export function isInstalledOn(
  { installation, repositories }: GithubToken,
  { owner, name }: Repository,
): boolean {
  return installation?.owner === owner && (repositories?.includes(name.toLowerCase()) ?? true);
}

export function isPermissionEnough(
  has: RepositoryPermission | undefined,
  wanted: RepositoryPermission,
): boolean {
  return has !== undefined && ORDER.indexOf(has) >= ORDER.indexOf(wanted);
}

/** Returns whether a token may see (`READ`) or change (`WRITE`) a project. */
export function canAccessProject(project: Project, token: GithubToken, wanted: 'READ' | 'WRITE'): boolean {
  const { installation, account } = token;
  if (installation !== undefined) {
    // An app can access an organization's projects, but not those of a person.
    if (installation.owner !== project.owner || project.owner.type !== 'Organization') {
      return wanted === 'READ' && project.public;
    }
    const { organization_projects: given } = token.permissions ?? ALL_APP_PERMISSIONS;
    return wanted === 'READ' ? given !== undefined : given === 'write';
  }
  if (account === project.owner || project.owner.members.has(account.login)) return true;
  return wanted === 'READ' && project.public;
}

export function requireScope(token: GithubToken, field: string, ...oneOf: readonly string[]): void {
  const { scopes } = token;
  if (scopes === undefined || oneOf.some((scope) => scopes.includes(scope))) return;
  const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;
  throw new GithubRefusal(
    'INSUFFICIENT_SCOPES',
    `Your token has not been granted the required scopes to execute this query. The '${field}' field requires one of the following scopes: ${list(oneOf)}, but your token has only been granted the: ${list(scopes)} scopes. Please modify your token's scopes at: https://github.com/settings/tokens.`,
  );
}

/** Returns whether the token may see the node. To other tokens, the node does not exist. */
export function canSeeNode(node: GithubNode, token: GithubToken): boolean {
  switch (node.type) {
    case 'User':
    case 'Organization':
    case 'Bot':
      return true;
    case 'Repository':
      return isPermissionEnough(getTokenPermission(node, token), 'READ');
    case 'ProjectV2':
      return canAccessProject(node, token, 'READ');
    case 'ProjectV2Field':
    case 'ProjectV2SingleSelectField':
    case 'ProjectV2Item':
      return canAccessProject(node.project, token, 'READ');
    case 'ProjectV2ItemFieldSingleSelectValue':
    case 'ProjectV2ItemFieldTextValue':
      return canAccessProject(node.item.project, token, 'READ');
    case 'DraftIssue':
      return true;
    case 'Label':
    case 'Issue':
    case 'PullRequest':
    case 'CheckRun':
    case 'StatusContext':
      return canSeeNode(node.repository, token);
    case 'IssueComment':
    case 'ClosedEvent':
    case 'ReopenedEvent':
    case 'PullRequestReview':
      return canSeeNode(node.on.repository, token);
    case 'PullRequestReviewComment':
      return canSeeNode(node.review.on.repository, token);
  }
}

/**
 * Returns true if an app's token has write access for none of these permissions, such as `issues`.
 * Read access is not enough.
 */
export function isInstallationLacking(token: GithubToken, ...permissions: readonly string[]): boolean {
  const given = token.permissions;
  if (token.installation === undefined || given === undefined) return false;
  return !permissions.some((permission) => given[permission] === 'write');
}

/** Returns the author association that GitHub shows beside a comment. */
export function getAuthorAssociation(repository: Repository, author: Account): string {
  if (author.login === repository.owner.login) return 'OWNER';
  if (repository.owner.members.has(author.login)) return 'MEMBER';
  if (repository.grants.has(author.login)) return 'COLLABORATOR';
  const contributed = repository.threads.some(
    (thread) => thread.type === 'PullRequest' && thread.merged !== undefined && thread.author === author,
  );
  return contributed ? 'CONTRIBUTOR' : 'NONE';
}
