/** Who may do what: an account's permission on a repository or a board, narrowed by the token it came with. */
import type { Permission } from '../simulator.ts';
import { GithubRefusal } from './fault.ts';
import type { Account, GithubNode, Project, Repository } from './nodes.ts';
import type { Token } from './world.ts';

/** What an app has whose permissions nobody has narrowed. */
export const ALL_GIVEN: Readonly<Record<string, 'read' | 'write'>> = {
  actions: 'read',
  checks: 'read',
  contents: 'write',
  issues: 'write',
  metadata: 'read',
  organization_projects: 'write',
  pull_requests: 'write',
  statuses: 'read',
};

const ORDER: readonly Permission[] = ['READ', 'TRIAGE', 'WRITE', 'MAINTAIN', 'ADMIN'];

/** What somebody has on a repository by who they are; undefined for none. Everybody reads a public one. */
export function permissionOf(repository: Repository, account: Account): Permission | undefined {
  if (account.login === repository.owner.login) return 'ADMIN';
  const granted = repository.grants.get(account.login);
  // The base permission of an organization's members is to read, unless its owners change it.
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

/** A token's own permission: an installation has what its app was given, on its owner's repositories only. */
export function tokenPermission(repository: Repository, token: Token): Permission | undefined {
  const open = repository.private ? undefined : 'READ';
  if (token.installation !== undefined) {
    if (!isInstalledOn(token, repository)) return open;
    const { contents } = token.permissions ?? ALL_GIVEN;
    return contents === 'write' ? 'WRITE' : 'READ';
  }
  if (token.scopes !== undefined && !token.scopes.includes('repo')) {
    return token.scopes.includes('public_repo') && !repository.private
      ? permissionOf(repository, token.account)
      : open;
  }
  return permissionOf(repository, token.account);
}

/** Whether an app's token is for this repository at all. */
export function isInstalledOn({ installation, repositories }: Token, { owner, name }: Repository): boolean {
  return installation?.owner === owner && (repositories?.includes(name.toLowerCase()) ?? true);
}

export function reaches(has: Permission | undefined, wanted: Permission): boolean {
  return has !== undefined && ORDER.indexOf(has) >= ORDER.indexOf(wanted);
}

/** `READ` for what an account may see, `WRITE` for what it may change. */
export function mayProject(project: Project, token: Token, wanted: 'READ' | 'WRITE'): boolean {
  const { installation, account } = token;
  if (installation !== undefined) {
    // An app can be allowed an organization's projects; a person's it cannot reach.
    if (installation.owner !== project.owner || project.owner.type !== 'Organization') {
      return wanted === 'READ' && project.public;
    }
    const { organization_projects: given } = token.permissions ?? ALL_GIVEN;
    return wanted === 'READ' ? given !== undefined : given === 'write';
  }
  if (account === project.owner || project.owner.members.has(account.login)) return true;
  return wanted === 'READ' && project.public;
}

export function requireScope(token: Token, field: string, ...oneOf: readonly string[]): void {
  const { scopes } = token;
  if (scopes === undefined || oneOf.some((scope) => scopes.includes(scope))) return;
  const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`;
  throw new GithubRefusal(
    'INSUFFICIENT_SCOPES',
    `Your token has not been granted the required scopes to execute this query. The '${field}' field requires one of the following scopes: ${list(oneOf)}, but your token has only been granted the: ${list(scopes)} scopes. Please modify your token's scopes at: https://github.com/settings/tokens.`,
  );
}

/** Whether a node is there at all for the bearer of this token. */
export function maySee(node: GithubNode, token: Token): boolean {
  switch (node.type) {
    case 'User':
    case 'Organization':
    case 'Bot':
      return true;
    case 'Repository':
      return reaches(tokenPermission(node, token), 'READ');
    case 'ProjectV2':
      return mayProject(node, token, 'READ');
    case 'ProjectV2Field':
    case 'ProjectV2SingleSelectField':
    case 'ProjectV2Item':
      return mayProject(node.project, token, 'READ');
    case 'ProjectV2ItemFieldSingleSelectValue':
    case 'ProjectV2ItemFieldTextValue':
      return mayProject(node.item.project, token, 'READ');
    case 'DraftIssue':
      return true;
    case 'Label':
    case 'Issue':
    case 'PullRequest':
    case 'CheckRun':
    case 'StatusContext':
      return maySee(node.repository, token);
    case 'IssueComment':
    case 'ClosedEvent':
    case 'ReopenedEvent':
    case 'PullRequestReview':
      return maySee(node.on.repository, token);
    case 'PullRequestReviewComment':
      return maySee(node.review.on.repository, token);
  }
}

/** An app needs `issues: write` and the like, whatever its token reads. */
export function installationLacks(token: Token, ...permissions: readonly string[]): boolean {
  const given = token.permissions;
  if (token.installation === undefined || given === undefined) return false;
  return !permissions.some((permission) => given[permission] === 'write');
}

/** As GitHub shows it beside a comment. */
export function association(repository: Repository, author: Account): string {
  if (author.login === repository.owner.login) return 'OWNER';
  if (repository.owner.members.has(author.login)) return 'MEMBER';
  if (repository.grants.has(author.login)) return 'COLLABORATOR';
  const contributed = repository.threads.some(
    (thread) => thread.type === 'PullRequest' && thread.merged !== undefined && thread.author === author,
  );
  return contributed ? 'CONTRIBUTOR' : 'NONE';
}
