/** Mutations of what hangs on an issue: comments, relations, attachments. */
import type { IssueRelation } from '../../model/nodes.ts';
import { invalid, NotSimulated } from '../../model/refusal.ts';
import { addComment, attach, type NewAttachment, relate } from '../../model/threads.ts';
import { find, findIssue, findOr, mutation } from './define.ts';

interface CommentInput {
  readonly id?: string | null;
  readonly issueId?: string | null;
  readonly parentId?: string | null;
  readonly body?: string | null;
}

interface RelationInput {
  readonly id?: string | null;
  readonly issueId: string;
  readonly relatedIssueId: string;
  readonly type: string;
}

const RELATIONS: readonly string[] = ['blocks', 'related'] satisfies IssueRelation['kind'][];

export const THREAD_MUTATIONS = {
  ...mutation<{ readonly input: CommentInput }>('commentCreate', ({ input }, context) => {
    const parent = findOr(input.parentId, (id) => find(context, 'Comment', id)) ?? undefined;
    const issue = findOr(input.issueId, (id) => findIssue(context, id)) ?? parent?.issue;
    if (issue === undefined) throw invalid('issueId must be given');
    const wanted = { id: input.id ?? null, body: input.body ?? '', parent };
    return { comment: addComment(context.world, { user: context.credential.user }, issue, wanted) };
  }),
  ...mutation<{ readonly input: RelationInput }>('issueRelationCreate', ({ input }, context) => {
    const { type } = input;
    // A duplicate changes the state of its issue as well, and nobody has needed it yet.
    if (!RELATIONS.includes(type))
      throw new NotSimulated(`The simulator makes no relations of the type ${type}`);
    const issue = findIssue(context, input.issueId);
    const related = findIssue(context, input.relatedIssueId);
    const how = { kind: type as IssueRelation['kind'], id: input.id ?? null };
    return { issueRelation: relate(context.world, issue, related, how) };
  }),
  ...mutation<{ readonly id: string }>('issueRelationDelete', ({ id }, context) => {
    const relation = find(context, 'IssueRelation', id);
    context.world.remove(relation);
    return { node: 'DeletePayload', entityId: relation.id };
  }),
  ...mutation<{ readonly input: NewAttachment & { readonly issueId: string } }>(
    'attachmentCreate',
    ({ input }, context) => {
      const { id, url, title, subtitle, metadata } = input;
      const issue = findIssue(context, input.issueId);
      const wanted = { id, url, title, subtitle, metadata };
      return { attachment: attach(context.world, context.credential.user, issue, wanted) };
    },
  ),
  ...mutation<{
    readonly id?: string | null;
    readonly issueId: string;
    readonly url: string;
    readonly title?: string | null;
  }>('attachmentLinkURL', ({ id, issueId, url, title }, context) => {
    const issue = findIssue(context, issueId);
    const wanted = { id, url, title: title ?? url };
    return { attachment: attach(context.world, context.credential.user, issue, wanted) };
  }),
};
