/** Implements the mutations of comments, relations and attachments. */
import type { IssueRelation } from '../../model/nodes.ts';
import { NotSimulated, toForbidden, toInvalidInput } from '../../model/refusal.ts';
import {
  addAttachment,
  addComment,
  addRelation,
  type NewAttachment,
  updateComment,
} from '../../model/threads.ts';
import { defineMutation, find, findIssue, findOr } from './define.ts';

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
  ...defineMutation<{ readonly input: CommentInput }>('commentCreate', ({ input }, context) => {
    const parent = findOr(input.parentId, (id) => find(context, 'Comment', id)) ?? undefined;
    const issue = findOr(input.issueId, (id) => findIssue(context, id)) ?? parent?.issue;
    if (issue === undefined) throw toInvalidInput('issueId must be given');
    const wanted = { id: input.id ?? null, body: input.body ?? '', parent };
    return { comment: addComment(context.world, { user: context.credential.user }, issue, wanted) };
  }),
  ...defineMutation<{ readonly id: string; readonly input: Pick<CommentInput, 'body'> }>(
    'commentUpdate',
    ({ id, input }, context) => {
      const comment = find(context, 'Comment', id);
      if (comment.user !== context.credential.user) throw toForbidden('You can only edit your own comments');
      updateComment(context.world, comment, input.body ?? comment.body);
      return { comment };
    },
  ),
  ...defineMutation<{ readonly input: RelationInput }>('issueRelationCreate', ({ input }, context) => {
    const { type } = input;
    // Relations of the type `duplicate` are rejected, because they would also change the issue's
    // state, which is not simulated.
    if (!RELATIONS.includes(type))
      throw new NotSimulated(`The simulator does not support relations of the type ${type}`);
    const issue = findIssue(context, input.issueId);
    const related = findIssue(context, input.relatedIssueId);
    const how = { kind: type as IssueRelation['kind'], id: input.id ?? null };
    return { issueRelation: addRelation(context.world, issue, related, how) };
  }),
  ...defineMutation<{ readonly id: string }>('issueRelationDelete', ({ id }, context) => {
    const relation = find(context, 'IssueRelation', id);
    context.world.remove(relation);
    return { node: 'DeletePayload', entityId: relation.id };
  }),
  ...defineMutation<{ readonly input: NewAttachment & { readonly issueId: string } }>(
    'attachmentCreate',
    ({ input }, context) => {
      const { id, url, title, subtitle, metadata } = input;
      const issue = findIssue(context, input.issueId);
      const wanted = { id, url, title, subtitle, metadata };
      return { attachment: addAttachment(context.world, context.credential.user, issue, wanted) };
    },
  ),
  ...defineMutation<{
    readonly id?: string | null;
    readonly issueId: string;
    readonly url: string;
    readonly title?: string | null;
  }>('attachmentLinkURL', ({ id, issueId, url, title }, context) => {
    const issue = findIssue(context, issueId);
    const wanted = { id, url, title: title ?? url };
    return { attachment: addAttachment(context.world, context.credential.user, issue, wanted) };
  }),
};
