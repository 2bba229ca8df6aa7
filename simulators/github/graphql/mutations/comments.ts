/** Mutations of comments. */
import type {
  AddCommentInput,
  DeleteIssueCommentInput,
  UpdateIssueCommentInput,
} from '@octokit/graphql-schema';
import { addComment, deleteComment, editComment } from '../../model/comments.ts';
import { connection } from '../connection.ts';
import type { Shape } from '../shape.ts';
import { appPermissions, find, requireRepository } from './allowed.ts';
import { mutation } from './define.ts';

export const COMMENT_MUTATIONS = {
  ...mutation<AddCommentInput>('addComment', (input, context, name) => {
    const subject = find(context, input.subjectId, 'Issue', 'PullRequest');
    requireRepository(context, subject.repository, name, {
      permission: 'READ',
      app: appPermissions(subject),
    });
    const comment = addComment(context.world, context.token.account, subject, input.body);
    const { edges } = connection('IssueCommentConnection', [comment], { first: 1 }).fields;
    return { subject, commentEdge: (edges as Shape[])[0] };
  }),
  ...mutation<UpdateIssueCommentInput>('updateIssueComment', (input, context, name) => {
    const comment = find(context, input.id, 'IssueComment');
    const { on, author } = comment;
    requireRepository(context, on.repository, name, { permission: 'WRITE', app: appPermissions(on), author });
    editComment(context.world, context.token.account, comment, input.body);
    return { issueComment: comment };
  }),
  ...mutation<DeleteIssueCommentInput>('deleteIssueComment', (input, context, name) => {
    const comment = find(context, input.id, 'IssueComment');
    const { on, author } = comment;
    requireRepository(context, on.repository, name, { permission: 'WRITE', app: appPermissions(on), author });
    deleteComment(context.world, context.token.account, comment);
    return {};
  }),
};
