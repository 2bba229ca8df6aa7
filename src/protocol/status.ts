/**
 * The daemon's health, and the data of `legion status`: the health, the number of inbox items, and
 * each issue with its worker.
 */
import { z } from 'zod';
import { issueStateSchema } from './board-state.ts';
import { faultSchema } from './endpoint.ts';
import { inboxItemSchema } from './operator.ts';
import { workerSchema } from './workers.ts';

/** Limits on spending. If a field is absent, there is no such limit. */
export const budgetSchema = z.object({
  wallMs: z.number().optional(),
  turns: z.number().optional(),
  tokens: z.number().optional(),
  usd: z.number().optional(),
  /** Limit in tokens that applies only to agents that report no cost. */
  unpricedTokens: z.number().optional(),
});

/**
 * The spending of all workers since local midnight, and its limits. If a limit is absent, spending
 * is unlimited.
 */
export const daySchema = z.object({
  usd: z.number(),
  usdLimit: z.number().optional(),
  /** Tokens of agents that report no cost. */
  tokens: z.number(),
  tokensLimit: z.number().optional(),
  endsAt: z.number(),
  /** Why no worker starts until `endsAt`. Absent while budget is left. */
  refusal: z.string().optional(),
});

/** Baselines that are running. No worker starts in these repositories until the result is known. */
export const runningBaselinesSchema = z.array(z.object({ repo: z.string(), command: z.string() }));

/** Notices that an operator should read. They do not stop any work. */
export const noticesSchema = z.array(z.object({ message: z.string(), next: z.string() }));

const pollingSchema = z.object({
  intervalMs: z.number(),
  /**
   * `unchanged`: slower, because nothing changed for a while. `waiting_for_ci`: not slower, because CI
   * runs. `api_budget`: slower, because few requests are left.
   */
  reason: z.enum(['normal', 'unchanged', 'waiting_for_ci', 'api_budget']),
  /** `reason` as a sentence for people. */
  says: z.string(),
});

export const healthSchema = z.object({
  ok: z.boolean(),
  legion: z.string(),
  version: z.string(),
  pid: z.int(),
  startedAt: z.number(),
  epoch: z.int(),
  journalVersion: z.int(),
  backend: z.string(),
  forge: z.string(),
  host: z.string(),
  /**
   * Numbers of workers, and their limit. Workers that are being stopped (`stopping`) do not take a
   * slot.
   */
  workers: z.object({ live: z.int(), waiting: z.int(), stopping: z.int().optional(), limit: z.int() }),
  /**
   * While `allowed` is false, no worker starts, because a person paused or halted the legion or
   * because many workers crashed at once.
   */
  starts: z.object({
    allowed: z.boolean(),
    why: z.string().optional(),
    /**
     * `deaths`: many workers crashed at once. `pause` and `halt`: set by the person in `by`. A
     * `halt` also stopped every worker.
     */
    kind: z.enum(['deaths', 'pause', 'halt']).optional(),
    by: z.string().optional(),
    since: z.number().optional(),
  }),
  autoAdvance: z.boolean(),
  /**
   * The number of requests that the board’s service still accepts, if the service has such a limit.
   */
  budget: z.object({ limit: z.number(), remaining: z.number(), resetsAt: z.number() }).optional(),
  /** How often the board is read if nothing wakes the daemon, and why. Absent before the first read. */
  polling: pollingSchema.optional(),
  /** Budgets of one worker, and of all workers of an issue together. */
  budgets: z.object({ worker: budgetSchema, issue: budgetSchema }).optional(),
  /** Today's spending and its limits. */
  day: daySchema.optional(),
  scripted: z.boolean().optional(), // true if the scripted agent, which does no real work, may run
  /**
   * Active problems that do not stop the daemon, such as a rejected configuration or an unreadable
   * board.
   */
  troubles: z.array(faultSchema.extend({ since: z.number() })),
  baselines: runningBaselinesSchema.optional(),
  notices: noticesSchema.optional(),
});
export type HealthView = z.output<typeof healthSchema>;

export const statusQuery = z.strictObject({
  /** `all`: includes issues that are done or closed. */
  finished: z.literal('all').optional(),
  /** `full`: includes the whole state of each issue, every worker and every inbox item. */
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
  /** Number of inbox items. */
  waiting: z.int(),
  /**
   * True if the board cannot be read at the moment. The issues are then those that the daemon last
   * saw.
   */
  isOutdated: z.boolean(),
  /** Sorted by status. */
  issues: z
    .array(issueSummarySchema.extend(issueStateSchema.omit(SUMMARY_FIELDS).partial().shape))
    .readonly(),
  /** Set only if the request has `detail=full`. */
  workers: z.array(workerSchema).readonly().optional(),
  inbox: z.array(inboxItemSchema).readonly().optional(),
});
export type StatusAnswer = z.output<typeof statusAnswer>;
