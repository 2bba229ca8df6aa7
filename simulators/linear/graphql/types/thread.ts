/** Fields of what hangs on an issue: comments, relations, attachments. */
import type { Attachment, Comment, IssueRelation } from '../../model/nodes.ts';
import type { Context, Table } from '../context.ts';
import { BASE, empty, fixed, list, plain } from '../fields.ts';
import { commentUrl } from '../wording.ts';

export const THREAD: Table = {
  Comment: {
    ...BASE,
    ...plain('body', 'issue', 'parent', 'user'),
    ...empty(
      'agentSession',
      'botActor',
      'documentContent',
      'documentContentId',
      'editedAt',
      'externalThread',
    ),
    ...empty(
      'initiative',
      'initiativeId',
      'initiativeUpdate',
      'initiativeUpdateId',
      'onBehalfOf',
      'post',
      'project',
    ),
    ...empty('projectId', 'projectUpdate', 'projectUpdateId', 'quotedText', 'resolvedAt', 'resolvingComment'),
    ...empty('resolvingCommentId', 'resolvingUser', 'syncedWith', 'threadSummary'),
    ...fixed({ hideInLinear: false, isArtificialAgentSessionRoot: false, reactionData: [], reactions: [] }),
    externalUser: ({ external }: Comment) => external ?? null,
    issueId: ({ issue }: Comment) => issue.id,
    parentId: ({ parent }: Comment) => parent?.id ?? null,
    url: (comment: Comment, _: unknown, { url }: Context) => commentUrl(comment, url),
    children: list('Comment', ({ parent }, comment: Comment) => parent === comment),
  },
  IssueRelation: {
    ...BASE,
    ...plain('issue'),
    relatedIssue: ({ related }: IssueRelation) => related,
    type: ({ kind }: IssueRelation) => kind,
  },
  Attachment: {
    ...BASE,
    ...plain('issue', 'url', 'title', 'subtitle', 'metadata', 'creator'),
    ...empty('bodyData', 'externalUserCreator', 'originalIssue', 'source'),
    ...fixed({ groupBySource: false }),
    sourceType: ({ url }: Attachment) => (new URL(url).hostname === 'github.com' ? 'github' : null),
  },
};
