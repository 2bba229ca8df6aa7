/** What is read of Linear's bodies: as little as possible, and nothing is refused for what stands beside it. */
import { z } from 'zod';

/** Longer names are cut: they are only shown. */
const NAME_MOST = 255;

const shownName = z.string().transform((text) => [...text].slice(0, NAME_MOST).join(''));
/** Linear's ids are UUIDs; of another form would be nobody's, and could pass for something else in a queue. */
const id = z.guid();
const identifier = z.string().max(NAME_MOST);

/** Every delivery has these; `data` is read by its type. */
export const envelope = z.object({
  action: shownName,
  type: shownName,
  data: z.unknown(),
  /** The former values of what an update has changed. */
  updatedFrom: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  actor: z.object({ name: shownName.nullish() }).nullish().catch(undefined),
  url: shownName.nullish().catch(undefined),
});
export type Envelope = z.output<typeof envelope>;

export const issueData = z.object({ id, identifier });

/** A comment may belong to a project or a document instead. Of its authors at most one is there. */
export const commentData = z.object({
  id,
  body: z.string().nullish(),
  issueId: id.nullish(),
  issue: z.object({ id, identifier }).nullish(),
  user: z.object({ id, name: shownName }).nullish(),
  externalUser: z.unknown().optional(),
  botActor: z.unknown().optional(),
});
export type CommentData = z.output<typeof commentData>;

/** `originalIssueId`: where it was before it was moved. */
export const attachmentData = z.object({ issueId: id, originalIssueId: id.nullish() });

export const relationData = z.object({ issueId: id, relatedIssueId: id });

/** Whatever it is, it says which issue it belongs to. */
export const ofAnIssue = z.object({ issueId: id });
