/** The form of what Linear answers about one issue, relation, attachment or comment, as its own schema has it. */
import { z } from 'zod';
import type { LinearIssue } from '../../../trackers/linear/linear-issue.ts';
import type {
  CommentHeadFragment,
  CommentPartsFragment,
  IssueHeadFragment,
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

/** Times are texts: one that is no time is put right and reported. */
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

/** Comments are read one by one. */
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
