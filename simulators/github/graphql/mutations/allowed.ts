/** What a mutation asks before it changes anything: that the node is there, and that this token may do it. */
import {
  installationLacks,
  isInstalledOn,
  mayProject,
  reaches,
  requireScope,
  tokenPermission,
} from '../../model/access.ts';
import { GithubRefusal } from '../../model/fault.ts';
import type { Account, GithubNode, Issue, Project, PullRequest, Repository } from '../../model/nodes.ts';
import type { Permission } from '../../simulator.ts';
import type { Context } from '../context.ts';
import { nodeById } from '../types/query.ts';

/** The node, if it is there for the asker and of one of these types. */
export function find<T extends GithubNode['type']>(
  context: Context,
  id: string,
  ...types: readonly T[]
): Extract<GithubNode, { type: T }> {
  const node = nodeById(context, id);
  if (types.includes(node.type as T)) return node as Extract<GithubNode, { type: T }>;
  throw new GithubRefusal(
    'NOT_FOUND',
    `Could not resolve to ${types.join(' or ')} node with the global id of '${id}'.`,
  );
}

export interface Needed {
  readonly permission: Permission;
  /** Which an app must have been given, one of them. */
  readonly app: readonly string[];
  /** Who may do it whatever their permission. */
  readonly author?: Account;
}

export function requireRepository(
  context: Context,
  repository: Repository,
  mutation: string,
  needed: Needed,
): void {
  const { token } = context;
  requireScope(token, 'id', ...(repository.private ? ['repo'] : ['repo', 'public_repo']));
  const { installation } = token;
  if (
    installation !== undefined &&
    (!isInstalledOn(token, repository) || installationLacks(token, ...needed.app))
  ) {
    throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
  }
  if (needed.author === token.account || installation !== undefined) return;
  if (!reaches(tokenPermission(repository, token), needed.permission)) throw denied(context, mutation);
}

/** What an app must have been given to touch it. */
export function appPermissions(thread: Issue | PullRequest): readonly string[] {
  return thread.type === 'Issue' ? ['issues'] : ['pull_requests', 'issues'];
}

export function requireProject(context: Context, project: Project, mutation: string): void {
  requireScope(context.token, 'id', 'project');
  if (mayProject(project, context.token, 'WRITE')) return;
  if (context.token.installation === undefined) throw denied(context, mutation);
  throw new GithubRefusal('FORBIDDEN', 'Resource not accessible by integration');
}

function denied({ token }: Context, mutation: string): GithubRefusal {
  const name = mutation.charAt(0).toUpperCase() + mutation.slice(1);
  return new GithubRefusal(
    'FORBIDDEN',
    `${token.account.login} does not have the correct permissions to execute \`${name}\``,
  );
}
