/** What `legion status` shows: the daemon, how much waits for a person, and each issue with its worker. */
import { z } from 'zod';
import { issueStateSchema } from './board-state.ts';
import { healthSchema, inboxItemSchema, workerSchema } from './operator.ts';

export const statusQuery = z.strictObject({
  /** `all`: also issues that are done or closed. */
  finished: z.literal('all').optional(),
  /** `full`: also the whole state of each issue, every worker and every item of the inbox. */
  detail: z.literal('full').optional(),
});
export type StatusQuery = z.output<typeof statusQuery>;

const SUMMARY_FIELDS = {
  id: true,
  title: true,
  status: true,
  hasLiveWorker: true,
  workerMode: true,
  workerStatus: true,
  workerStopping: true,
  hasWorkerExited: true,
  says: true,
} as const;

export const issueSummarySchema = issueStateSchema.pick(SUMMARY_FIELDS);
export type IssueSummary = z.output<typeof issueSummarySchema>;

export const statusAnswer = z.object({
  daemon: healthSchema,
  /** How many items of the inbox wait for a person. */
  waiting: z.int(),
  /** The board could not be read now; the issues are those that the daemon saw last. */
  isOutdated: z.boolean(),
  /** In the order of their statuses. */
  issues: z
    .array(issueSummarySchema.extend(issueStateSchema.omit(SUMMARY_FIELDS).partial().shape))
    .readonly(),
  /** Only with `detail=full`. */
  workers: z.array(workerSchema).readonly().optional(),
  inbox: z.array(inboxItemSchema).readonly().optional(),
});
export type StatusAnswer = z.output<typeof statusAnswer>;
