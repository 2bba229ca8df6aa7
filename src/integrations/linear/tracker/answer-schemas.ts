/** Schemas of Linear's responses for issues, relations, attachments and comments. */
import { z } from 'zod';
import type {
  CommentHeadFragment,
  CommentPartsFragment,
  IssueHeadFragment,
  IssuePartsFragment,
  NewAttachmentPartsFragment,
  NewRelationPartsFragment,
} from '../generated/tracker.ts';

const id = z.string().min(1);
const withId = z.object({ id });

const state = z.object({ id, name: z.string(), type: z.string(), position: z.number() });
const user = z.object({
  id,
  name: z.string(),
  displayName: z.string(),
  email: z.string(),
  active: z.boolean(),
  app: z.boolean(),
});
const externalUser = z.object({ name: z.string(), displayName: z.string() }).nullable();
const botActor = z.object({ name: z.string().nullable() }).nullable();
const spans = z.object({
  nodes: z.array(z.object({ stateId: id, startedAt: z.string(), endedAt: z.string().nullable() })),
});

const relation = z.object({
  id,
  type: z.string(),
  issue: z.object({
    id,
    identifier: id,
    trashed: z.boolean().nullable(),
    team: withId,
    state,
  }),
});
const attachment = z.object({ id, url: z.string() });

/**
 * Times are plain strings, because an invalid time is replaced and reported instead of failing the
 * issue.
 */
const leanFields = {
  id,
  identifier: id,
  title: z.string(),
  description: z.string().nullable(),
  priority: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  archivedAt: z.string().nullable(),
  trashed: z.boolean().nullable(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  canceledAt: z.string().nullable(),
  team: withId,
  state,
  labels: z.object({ nodes: z.array(z.object({ id, name: z.string() })) }),
};

export const leanIssueAnswer = z.object(leanFields);

export const issueAnswer: z.ZodType<LinearIssue> = z.object({
  ...leanFields,
  creator: user.nullable(),
  externalUserCreator: externalUser,
  asksExternalUserRequester: externalUser,
  botActor,
  parent: z.object({ identifier: id }).nullable(),
  project: z.object({ name: z.string() }).nullable(),
  assignee: z.object({ displayName: z.string() }).nullable(),
  oneEnd: spans,
  otherEnd: spans,
  attachments: z.object({ nodes: z.array(attachment) }),
  inverseRelations: z.object({ nodes: z.array(relation) }),
});

export const issueHead: z.ZodType<IssueHeadFragment> = z.object({ id, updatedAt: z.string() });
export const relationsPage = z.object({
  nodes: z.array(relation),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});
export const watchedAnswer = z.object({ id, inverseRelations: z.object({ nodes: z.array(relation) }) });

export const newRelationAnswer: z.ZodType<NewRelationPartsFragment> = relation.extend({
  updatedAt: z.string(),
  relatedIssue: withId,
});
export const newAttachmentAnswer: z.ZodType<NewAttachmentPartsFragment> = attachment.extend({
  issue: withId,
});
export const commentHead: z.ZodType<CommentHeadFragment> = z.object({
  id,
  updatedAt: z.string(),
  issue: withId.nullable(),
});

/** Comments are validated one by one, so that a malformed one does not hide the others. */
export const commentsPage = z.object({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});

export const commentAnswer: z.ZodType<CommentPartsFragment> = z.object({
  id,
  body: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  user: user.nullable(),
  externalUser,
  botActor,
});

/** An issue from Linear as Legion stores it. */
export type LinearIssue = IssuePartsFragment & {
  /** Why the rest of the issue could not be read. Absent if it was read in full. */
  readonly refused?: string | undefined;
};
