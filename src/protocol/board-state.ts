/** The state of the whole board: each issue with its signals and its due step. */
import { z } from 'zod';
import { ACTIONS } from '../core/model/action.ts';
import { LIFECYCLE_STATES } from '../core/model/lifecycle.ts';
import { MODES } from '../core/model/mode.ts';

/** A worker that was asked to stop and whose process has not exited yet. */
export const stoppingSchema = z.object({
  since: z.number(),
  /**
   * End of the grace period. Until then the worker may exit by itself. Afterwards it receives a
   * signal to exit.
   */
  graceEndsAt: z.number(),
  why: z.string().optional(),
  /** The worker's reason for needing more time, if it said that it is still working. */
  working: z.string().optional(),
});

/** Do not rename these fields: the specification of the board state defines their names. */
export const issueStateSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  labels: z.array(z.string()),
  hasPr: z.boolean().nullable(),
  prReviewState: z.string().nullable(),
  ciStatus: z.string().nullable(),
  mergeableStatus: z.string().nullable(),
  /** Null if there is no pull request, or if it is not known. */
  prIsDraft: z.boolean().nullable(),
  prLabels: z.array(z.string()).nullable(),
  /** Text of the worker's latest open question. */
  blockedQuestion: z.string().nullable(),
  hasLiveWorker: z.boolean(),
  workerMode: z.enum(MODES).nullable(),
  workerStatus: z.enum(LIFECYCLE_STATES).nullable(),
  /** The worker was asked to stop, and its process has not exited yet. */
  workerStopping: stoppingSchema.optional(),
  /**
   * True if the worker's process exited without an accepted report and Legion has not yet judged
   * the exit.
   */
  hasWorkerExited: z.boolean().optional(),
  suggestedAction: z.enum(ACTIONS),
  sessionId: z.string(),
  hasUserFeedback: z.boolean(),
  blockedByIds: z.array(z.string()),
  isBlocked: z.boolean(),
  /**
   * Parts of the issue that could not be read, each with the next step. Absent if everything could
   * be read.
   */
  problems: z.array(z.string()).optional(),
  source: z.record(z.string(), z.unknown()),
  reason: z.string(),
  /** The reason as a sentence. For a paused issue, the cause of the pause. */
  says: z.string(),
  evidence: z.array(z.string()),
  /** `next`: the command that ends the wait. `read`: the command that shows what needs approval. */
  until: z.object({
    by: z.string(),
    what: z.string(),
    next: z.string().optional(),
    read: z.string().optional(),
  }),
});
export type IssueState = z.output<typeof issueStateSchema>;

export const collectedSchema = z.object({ issues: z.record(z.string(), issueStateSchema), at: z.number() });
export type CollectedBoard = z.output<typeof collectedSchema>;

/**
 * The posted issues with their due steps. `rejected` lists the posted entries that cannot be used,
 * each with its path.
 */
export const postedAnswer = collectedSchema.extend({
  rejected: z.array(z.object({ path: z.string(), id: z.string().optional(), message: z.string() })),
});
export type PostedAnswer = z.output<typeof postedAnswer>;

export const backendSchema = z.enum(['local', 'github', 'linear']);

/** If set, `backend` must be the legion's own backend. */
export const fetchRequest = z.strictObject({
  backend: backendSchema.optional(),
  /**
   * If true, the daemon does not read the board. It returns the board as it last saw it, for
   * example while the tracker service is unavailable.
   */
  lastSeen: z.boolean().default(false),
});
export type FetchRequest = z.output<typeof fetchRequest>;

/** Larger than any real board, so a longer list cannot be a list of issues. */
const MAX_POSTED_ISSUES = 10_000;

/**
 * Issues in the format of the tracker service or its command-line tool. Only the identity of each
 * issue is read.
 */
export const collectRequest = z.strictObject({
  backend: backendSchema.optional(),
  issues: z.array(z.unknown()).max(MAX_POSTED_ISSUES),
});

/**
 * Either a list of issues as in `collectRequest`, or a raw response of the legion's tracker
 * service. The tracker parses a raw response.
 */
export const postedRequest = z.union([
  collectRequest,
  z.array(z.unknown()),
  z.record(z.string(), z.unknown()),
]);

/**
 * Maximum size of a posted body. Both a page of 250 issues with long texts and a list of ten
 * thousand short issues take a few million bytes.
 */
export const MAX_POSTED_BYTES = 16 * 1_024 * 1_024;
