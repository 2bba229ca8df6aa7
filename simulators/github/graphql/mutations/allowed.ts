/** Checks before a mutation that the node exists and that the token may change it. */
import {
  canAccessProject,
  getTokenPermission,
  isInstallationLacking,
  isInstalledOn,
  isPermissionEnough,
  requireScope,
} from '../../model/access.ts';
import { GithubRefusal } from '../../model/fault.ts';
import type { Account, GithubNode, Issue, Project, PullRequest, Repository } from '../../model/nodes.ts';
import type { RepositoryPermission } from '../../simulator.ts';
import type { GithubResolverContext } from '../context.ts';
import { requireNodeById } from '../types/query.ts';

/** Returns the node if the requester may see it and it has one of these types. */
export function find<T extends GithubNode['type']>(
  context: GithubResolverContext,
  id: string,
  ...types: readonly T[]
): Extract<GithubNode, { type: T }> {
  const node = requireNodeById(context, id);
  if (types.includes(node.type as T)) return node as Extract<GithubNode, { type: T }>;
  throw new GithubRefusal(
    'NOT_FOUND',
    `Could not resolve to ${types.join(' or ')} node with the global id of '${id}'.`,
  );
}

export interface RequiredAccess {
  readonly permission: RepositoryPermission;
  /** App permissions. Having any one of them is enough. */
  readonly app: readonly string[];
  /** The author of the node, who needs no other permission. */
  readonly author?: Account;
}

export function requireRepository(
  context: GithubResolverContext,
  repository: Repository,
  mutation: string,
  needed: RequiredAccess,
): void {
  const { token } = context;
  requireScope(token, 'id', ...(repository.private ? ['repo'] : ['repo', 'public_repo']));
  const { installation } = token;
  if (
    installation !== undefined &&
    (!isInstalledOn(token, repository) || isInstallationLacking(token, ...needed.app))
  ) {
    throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
  }
  if (needed.author === token.account || installation !== undefined) return;
  if (!isPermissionEnough(getTokenPermission(repository, token), needed.permission))
    throw createDenial(context, mutation);
}

/**
 * Returns the app permissions that allow changing the issue or pull request. Any one of them is
 * enough.
 */
export function listAppPermissions(thread: Issue | PullRequest): readonly string[] {
  return thread.type === 'Issue' ? ['issues'] : ['pull_requests', 'issues'];
}

export function requireProject(context: GithubResolverContext, project: Project, mutation: string): void {
  requireScope(context.token, 'id', 'project');
  if (canAccessProject(project, context.token, 'WRITE')) return;
  if (context.token.installation === undefined) throw createDenial(context, mutation);
  throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
}

function createDenial({ token }: GithubResolverContext, mutation: string): GithubRefusal {
  const name = mutation.charAt(0).toUpperCase() + mutation.slice(1);
  return new GithubRefusal(
    'FORBIDDEN',
    `${token.account.login} does not have the correct permissions to execute \`${name}\``,
  );
}
