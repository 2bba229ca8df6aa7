/** Implements the mutations of comments. */
import type {
  AddCommentInput,
  DeleteIssueCommentInput,
  UpdateIssueCommentInput,
} from '@octokit/graphql-schema';
import { addComment, deleteComment, updateComment } from '../../model/comments.ts';
import { buildConnection } from '../connection.ts';
import type { SchemaValue } from '../shape.ts';
import { find, listAppPermissions, requireRepository } from './allowed.ts';
import { defineMutation } from './define.ts';

export const COMMENT_MUTATIONS = {
  ...defineMutation<AddCommentInput>('addComment', (input, context, name) => {
    const subject = find(context, input.subjectId, 'Issue', 'PullRequest');
    requireRepository(context, subject.repository, name, {
      permission: 'READ',
      app: listAppPermissions(subject),
    });
    const comment = addComment(context.world, context.token.account, subject, input.body);
    const { edges } = buildConnection('IssueCommentConnection', [comment], { first: 1 }).fields;
    return { subject, commentEdge: (edges as SchemaValue[])[0] };
  }),
  ...defineMutation<UpdateIssueCommentInput>('updateIssueComment', (input, context, name) => {
    const comment = find(context, input.id, 'IssueComment');
    const { on, author } = comment;
    requireRepository(context, on.repository, name, {
      permission: 'WRITE',
      app: listAppPermissions(on),
      author,
    });
    updateComment(context.world, context.token.account, comment, input.body);
    return { issueComment: comment };
  }),
  ...defineMutation<DeleteIssueCommentInput>('deleteIssueComment', (input, context, name) => {
    const comment = find(context, input.id, 'IssueComment');
    const { on, author } = comment;
    requireRepository(context, on.repository, name, {
      permission: 'WRITE',
      app: listAppPermissions(on),
      author,
    });
    deleteComment(context.world, context.token.account, comment);
    return {};
  }),
};
