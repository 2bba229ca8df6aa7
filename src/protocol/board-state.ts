/** The state of the whole board: each issue with its signals and what is due for it. */
import { z } from 'zod';
import { ACTIONS } from '../core/model/action.ts';
import { LIFECYCLE_STATES } from '../domain/lifecycle.ts';
import { MODES } from '../domain/mode.ts';

/** A worker that was stopped and whose process has not ended yet. */
export const stoppingSchema = z.object({
  since: z.number(),
  /** It may end by itself until then; afterwards it is signalled. */
  graceEndsAt: z.number(),
  why: z.string().optional(),
});

/** Fields as the first documents name them. */
export const issueStateSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  labels: z.array(z.string()),
  hasPr: z.boolean().nullable(),
  prReviewState: z.string().nullable(),
  ciStatus: z.string().nullable(),
  mergeableStatus: z.string().nullable(),
  hasLiveWorker: z.boolean(),
  workerMode: z.enum(MODES).nullable(),
  workerStatus: z.enum(LIFECYCLE_STATES).nullable(),
  /** The worker was stopped, and its process has not ended yet. */
  workerStopping: stoppingSchema.optional(),
  /** The worker's process has ended without an accepted report, and Legion has not decided yet what that means. */
  hasWorkerExited: z.boolean().optional(),
  suggestedAction: z.enum(ACTIONS),
  sessionId: z.string(),
  hasUserFeedback: z.boolean(),
  blockedByIds: z.array(z.string()),
  isBlocked: z.boolean(),
  /** What could not be read of the issue, each with the next step; absent where everything could. */
  problems: z.array(z.string()).optional(),
  source: z.record(z.string(), z.unknown()),
  reason: z.string(),
  /** The reason as a sentence; of an issue that is paused, the cause of the pause. */
  says: z.string(),
  evidence: z.array(z.string()),
  /** `next`: what a person types to end it; `read`: what to type to read what waits for approval. */
  until: z.object({
    by: z.string(),
    what: z.string(),
    next: z.string().optional(),
    read: z.string().optional(),
  }),
});
export type IssueState = z.output<typeof issueStateSchema>;

export const collectedSchema = z.object({ issues: z.record(z.string(), issueStateSchema), at: z.number() });
export type Collected = z.output<typeof collectedSchema>;

/** Posted entries that are not usable, each with its place; empty where all are. */
export const postedAnswer = collectedSchema.extend({
  rejected: z.array(z.object({ path: z.string(), id: z.string().optional(), message: z.string() })),
});
export type PostedAnswer = z.output<typeof postedAnswer>;

export const backendSchema = z.enum(['local', 'github', 'linear']);

/** `backend` must be the legion's own, where it is given. */
export const fetchRequest = z.strictObject({
  backend: backendSchema.optional(),
  /** Nothing is read anew: the board as the daemon saw it last, such as while its service is away. */
  lastSeen: z.boolean().default(false),
});
export type FetchRequest = z.output<typeof fetchRequest>;

/** Boards have fewer; what is longer is not a list of issues. */
const POSTED_MOST = 10_000;

/** Issues as their service or its command line gives them: which ones are meant is read from them, and nothing else. */
export const collectRequest = z.strictObject({
  backend: backendSchema.optional(),
  issues: z.array(z.unknown()).max(POSTED_MOST),
});

/** The same, or an answer of the legion's service as it is, which the tracker reads. */
export const postedRequest = z.union([
  collectRequest,
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);

/** Bytes of what may be posted: a page of 250 issues with long texts has some millions, ten thousand short ones as many. */
export const POSTED_MOST_BYTES = 16 * 1_024 * 1_024;
