/** Resolves fields of comments, relations and attachments. */
import type { Attachment, Comment, IssueRelation } from '../../model/nodes.ts';
import type { LinearResolverContext, LinearResolverTable } from '../context.ts';
import { BASE, defineEmptyFields, defineFixedFields, definePlainFields, list } from '../fields.ts';
import { buildCommentUrl } from '../wording.ts';

export const THREAD: LinearResolverTable = {
  Comment: {
    ...BASE,
    ...definePlainFields('body', 'issue', 'parent', 'user'),
    ...defineEmptyFields(
      'agentSession',
      'botActor',
      'documentContent',
      'documentContentId',
      'editedAt',
      'externalThread',
    ),
    ...defineEmptyFields(
      'initiative',
      'initiativeId',
      'initiativeUpdate',
      'initiativeUpdateId',
      'onBehalfOf',
      'post',
      'project',
    ),
    ...defineEmptyFields(
      'projectId',
      'projectUpdate',
      'projectUpdateId',
      'quotedText',
      'resolvedAt',
      'resolvingComment',
    ),
    ...defineEmptyFields('resolvingCommentId', 'resolvingUser', 'syncedWith', 'threadSummary'),
    ...defineFixedFields({
      hideInLinear: false,
      isArtificialAgentSessionRoot: false,
      reactionData: [],
      reactions: [],
    }),
    externalUser: ({ external }: Comment) => external ?? null,
    issueId: ({ issue }: Comment) => issue.id,
    parentId: ({ parent }: Comment) => parent?.id ?? null,
    url: (comment: Comment, _: unknown, { url }: LinearResolverContext) => buildCommentUrl(comment, url),
    children: list('Comment', ({ parent }, comment: Comment) => parent === comment),
  },
  IssueRelation: {
    ...BASE,
    ...definePlainFields('issue'),
    relatedIssue: ({ related }: IssueRelation) => related,
    type: ({ kind }: IssueRelation) => kind,
  },
  Attachment: {
    ...BASE,
    ...definePlainFields('issue', 'url', 'title', 'subtitle', 'metadata', 'creator'),
    ...defineEmptyFields('bodyData', 'externalUserCreator', 'originalIssue', 'source'),
    ...defineFixedFields({ groupBySource: false }),
    sourceType: ({ url }: Attachment) => (new URL(url).hostname === 'github.com' ? 'github' : null),
  },
};
