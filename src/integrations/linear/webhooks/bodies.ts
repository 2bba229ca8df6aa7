/** Schemas of Linear's webhook bodies: only the fields Legion needs, ignoring all others. */
import { z } from 'zod';

/** Maximum length of a name. Longer names are truncated, because they are only displayed. */
const MAX_NAME_CHARACTERS = 255;

const shownName = z.string().transform((text) => [...text].slice(0, MAX_NAME_CHARACTERS).join(''));
/**
 * Linear's ids are UUIDs. An id in another format could be mistaken for a different key in the
 * queue of wake-ups.
 */
const id = z.guid();
const identifier = z.string().max(MAX_NAME_CHARACTERS);

/** Fields of every delivery; `data` is parsed by type. */
export const envelope = z.object({
  action: shownName,
  type: shownName,
  data: z.unknown(),
  /** Previous values of the fields that an update changed. */
  updatedFrom: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  actor: z.object({ name: shownName.nullish() }).nullish().catch(undefined),
  url: shownName.nullish().catch(undefined),
});
export type LinearWebhookEnvelope = z.output<typeof envelope>;

export const issueData = z.object({ id, identifier });

/**
 * A comment may belong to a project or a document instead. At most one kind of author is present.
 */
export const commentData = z.object({
  id,
  body: z.string().nullish(),
  issueId: id.nullish(),
  issue: z.object({ id, identifier }).nullish(),
  user: z.object({ id, name: shownName }).nullish(),
  externalUser: z.unknown().optional(),
  botActor: z.unknown().optional(),
});
export type LinearCommentData = z.output<typeof commentData>;

/** `originalIssueId` is the issue to which the attachment belonged before it was moved. */
export const attachmentData = z.object({ issueId: id, originalIssueId: id.nullish() });

export const relationData = z.object({ issueId: id, relatedIssueId: id });

/** Fallback for any other type that refers to an issue. */
export const issueReferenceData = z.object({ issueId: id });
