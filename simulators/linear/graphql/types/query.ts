/** Resolves the root fields of queries. */
import { canSeeNode } from '../../model/access.ts';
import type { LinearNode, NodeName } from '../../model/nodes.ts';
import { toInvalidInput, toNotFound } from '../../model/refusal.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { LinearResolver, LinearResolverContext, LinearResolverTable } from '../context.ts';

type ById = { readonly id: string };

export const QUERY: LinearResolverTable = {
  Query: {
    viewer: (_: unknown, __: unknown, { credential }: LinearResolverContext) => credential.user,
    organization: (_: unknown, __: unknown, { world }: LinearResolverContext) => world.organization,
    team: (_: unknown, { id }: ById, context: LinearResolverContext) =>
      requireVisible(context, 'Team', context.world.team(id)),
    teams: resolveAll('Team'),
    workflowState: resolveOne('WorkflowState'),
    workflowStates: resolveAll('WorkflowState'),
    issueLabel: resolveOne('IssueLabel'),
    issueLabels: resolveAll('IssueLabel'),
    issue: (_: unknown, { id }: ById, context: LinearResolverContext) =>
      requireVisible(context, 'Issue', context.world.issue(id)),
    issues: resolveAll('Issue'),
    comment: (_: unknown, { id }: { readonly id?: string | null }, context: LinearResolverContext) => {
      if (id == null) throw toInvalidInput('id must be given');
      return requireVisible(context, 'Comment', context.world.byId('Comment', id));
    },
    comments: resolveAll('Comment'),
    issueRelation: resolveOne('IssueRelation'),
    issueRelations: resolveAll('IssueRelation'),
    attachment: resolveOne('Attachment'),
    attachments: resolveAll('Attachment'),
    attachmentsForURL: (
      _: unknown,
      args: PageArguments & { readonly url: string },
      context: LinearResolverContext,
    ) => {
      const { url } = args;
      const found = context.world.all('Attachment').filter((each) => each.url === url);
      return buildConnection('Attachment', found, args, context);
    },
    project: resolveOne('Project'),
    projects: resolveAll('Project'),
    user: (_: unknown, { id }: ById, context: LinearResolverContext) => {
      const { world, credential } = context;
      return requireVisible(context, 'User', id === 'me' ? credential.user : world.byId('User', id));
    },
    externalUser: resolveOne('ExternalUser'),
    externalUsers: resolveAll('ExternalUser'),
    // Deactivated users are listed only on request.
    users: (
      _: unknown,
      args: PageArguments & { readonly includeDisabled?: boolean | null },
      context: LinearResolverContext,
    ) => {
      const disabled = args.includeDisabled ?? false;
      const users = context.world.all('User').filter(({ active }) => disabled || active);
      return buildConnection('User', users, args, context);
    },
  },
};

function resolveAll(name: NodeName): LinearResolver {
  return (_: unknown, args: PageArguments, context: LinearResolverContext) =>
    buildConnection(name, context.world.all(name), args, context);
}

function resolveOne(name: NodeName): LinearResolver {
  return (_: unknown, { id }: ById, context: LinearResolverContext) =>
    requireVisible(context, name, context.world.byId(name, id));
}

function requireVisible<N extends LinearNode>(
  { credential }: LinearResolverContext,
  name: NodeName,
  node: N | undefined,
): N {
  if (node === undefined || !canSeeNode(credential.user, node)) throw toNotFound(name);
  return node;
}
