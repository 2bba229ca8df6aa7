/** Where queries begin. */
import { sees } from '../../model/access.ts';
import type { LinearNode, NodeName } from '../../model/nodes.ts';
import { invalid, notFound } from '../../model/refusal.ts';
import { connection, type PageArguments } from '../connection.ts';
import type { Context, Resolver, Table } from '../context.ts';

type ById = { readonly id: string };

export const QUERY: Table = {
  Query: {
    viewer: (_: unknown, __: unknown, { credential }: Context) => credential.user,
    organization: (_: unknown, __: unknown, { world }: Context) => world.organization,
    team: (_: unknown, { id }: ById, context: Context) => visible(context, 'Team', context.world.team(id)),
    teams: all('Team'),
    workflowState: one('WorkflowState'),
    workflowStates: all('WorkflowState'),
    issueLabel: one('IssueLabel'),
    issueLabels: all('IssueLabel'),
    issue: (_: unknown, { id }: ById, context: Context) => visible(context, 'Issue', context.world.issue(id)),
    issues: all('Issue'),
    comment: (_: unknown, { id }: { readonly id?: string | null }, context: Context) => {
      if (id == null) throw invalid('id must be given');
      return visible(context, 'Comment', context.world.byId('Comment', id));
    },
    comments: all('Comment'),
    issueRelation: one('IssueRelation'),
    issueRelations: all('IssueRelation'),
    attachment: one('Attachment'),
    attachments: all('Attachment'),
    attachmentsForURL: (_: unknown, args: PageArguments & { readonly url: string }, context: Context) => {
      const { url } = args;
      const found = context.world.all('Attachment').filter((each) => each.url === url);
      return connection('Attachment', found, args, context);
    },
    project: one('Project'),
    projects: all('Project'),
    user: (_: unknown, { id }: ById, context: Context) => {
      const { world, credential } = context;
      return visible(context, 'User', id === 'me' ? credential.user : world.byId('User', id));
    },
    externalUser: one('ExternalUser'),
    externalUsers: all('ExternalUser'),
    // Those who have left are listed only where they are asked for.
    users: (
      _: unknown,
      args: PageArguments & { readonly includeDisabled?: boolean | null },
      context: Context,
    ) => {
      const disabled = args.includeDisabled ?? false;
      const users = context.world.all('User').filter(({ active }) => disabled || active);
      return connection('User', users, args, context);
    },
  },
};

function all(name: NodeName): Resolver {
  return (_: unknown, args: PageArguments, context: Context) =>
    connection(name, context.world.all(name), args, context);
}

function one(name: NodeName): Resolver {
  return (_: unknown, { id }: ById, context: Context) => visible(context, name, context.world.byId(name, id));
}

function visible<N extends LinearNode>({ credential }: Context, name: NodeName, node: N | undefined): N {
  if (node === undefined || !sees(credential.user, node)) throw notFound(name);
  return node;
}
