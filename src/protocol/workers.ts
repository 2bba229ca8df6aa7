/** Requests about workers and the daemon's responses. */
import { z } from 'zod';
import { issueIdSchema } from '../core/model/ids.ts';
import { LIFECYCLE_STATES } from '../core/model/lifecycle.ts';
import { MODE_NAMES, MODES, toMode } from '../core/model/mode.ts';
import { stoppingSchema } from './board-state.ts';
import { flag, wholeNumber } from './endpoint.ts';

export const workerSchema = z.object({
  id: z.string(),
  issue: z.string(),
  mode: z.enum(MODES),
  attempt: z.int(),
  sessionId: z.string(),
  version: z.int(),
  host: z.string(),
  /** The agent and model, if the journal has them. */
  agent: z.string().optional(),
  model: z.string().optional(),
  status: z.enum(LIFECYCLE_STATES),
  /** The worker was asked to stop, and its process has not exited yet. */
  stopping: stoppingSchema.optional(),
  /**
   * True if the process exited without an accepted report and Legion has not yet judged the exit.
   */
  hasExited: z.boolean().optional(),
  pid: z.int().optional(),
  startedAt: z.number(),
  /** The time at which the worker entered its current state. */
  since: z.number(),
  /** Cost of all the worker's attempts. Includes only the cost that the agent reports. */
  spentUsd: z.number(),
  exit: z.object({ code: z.int().nullable(), signal: z.string().nullable(), at: z.number() }).optional(),
  crashes: z.int(),
  /** The same number as `crashes`, under the name that existing scripts read. */
  crashCount: z.int(),
  report: z
    .object({ outcome: z.enum(['done', 'error']), summary: z.string(), sentBack: z.string().optional() })
    .optional(),
  checkpoint: z
    .object({
      stage: z.string(),
      completed: z.array(z.string()),
      remaining: z.array(z.string()),
      lastAction: z.string(),
      at: z.number(),
    })
    .optional(),
  /** Directory of the issue's workspace. Absent if the workspace does not exist. */
  workspace: z.string().optional(),
});
export type WorkerView = z.output<typeof workerSchema>;

/** The current verdict on a worker's health, with its reasons. */
export const workerStatusSchema = workerSchema.extend({
  health: z.object({
    verdict: z.string(),
    state: z.string(),
    next: z.string(),
    why: z.string(),
    wouldChange: z.string(),
    evidence: z.array(z.string()),
  }),
  /** The usage of all the worker's attempts, and the result of the budget check. */
  spending: z.object({
    wallMs: z.number(),
    turns: z.number(),
    tokens: z.number(),
    usd: z.number(),
    next: z.string(),
    why: z.string(),
    wouldChange: z.string(),
    evidence: z.array(z.string()),
  }),
});
export type WorkerStatusView = z.output<typeof workerStatusSchema>;

export const workersQuery = z.strictObject({
  /** `true`: only workers that run or wait. */
  active: flag,
  /** `all`: also the workers of finished issues whose workspace is already removed. */
  finished: z.literal('all').optional(),
});
export type WorkersQuery = z.output<typeof workersQuery>;

const dispatchFields = z.strictObject({
  issue: issueIdSchema.optional(),
  /** Another name for `issue`. */
  issueId: issueIdSchema.optional(),
  mode: z.enum(MODE_NAMES),
  prompt: z.string().max(32_768).optional(),
  version: z.int().nonnegative().optional(),
  env: z.record(z.string(), z.string()).optional(),
  repo: z.string().optional(),
  /** If true, overrides the order of phases. The journal records who did so. */
  force: z.boolean().default(false),
  by: z.string().min(1).max(100).default('operator'),
});

export const dispatchRequest = dispatchFields.transform(({ issue, issueId, mode, ...rest }, context) => {
  const named = issue ?? issueId;
  if (named === undefined || (issueId !== undefined && issueId !== named)) {
    const message = named === undefined ? 'is missing' : 'differs from issueId';
    context.addIssue({ code: 'custom', path: ['issue'], message });
    return z.NEVER;
  }
  return { ...rest, issue: named, mode: toMode(mode) };
});
export type DispatchRequest = z.output<typeof dispatchRequest>;

/** `says`: set if an existing session received the prompt instead of a new start. */
export const dispatchAnswer = workerSchema.extend({ says: z.string().optional() });
export type DispatchAnswer = z.output<typeof dispatchAnswer>;

/** A new version of a worker's session. */
export const reversionRequest = z.strictObject({ version: z.int().nonnegative() });

export const promptRequest = z.strictObject({
  text: z.string().trim().min(1).max(32_768),
  /**
   * If true, the message interrupts the current turn. Otherwise a busy worker receives the message
   * at the end of its turn.
   */
  interrupt: z.boolean().default(false),
  by: z.string().min(1).max(100).default('operator'),
  /**
   * If true, the message is refused with `worker.ended` if the worker is not running. This keeps a
   * message from restarting a finished phase.
   */
  onlyIfWorking: z.boolean().optional(),
});
export type PromptRequest = z.output<typeof promptRequest>;

export const promptAnswer = z.object({
  /**
   * `delivered`: the session continues with the message now. `queued`: the session is busy and
   * receives the message when it becomes idle.
   */
  delivery: z.enum(['delivered', 'queued']),
  message: z.int(),
  says: z.string(),
});
export type PromptAnswer = z.output<typeof promptAnswer>;

export const logsAnswer = z.object({
  worker: z.string(),
  attempt: z.int(),
  /** Byte position at which `text` begins. */
  offset: z.int(),
  text: z.string(),
  /** The offset for the next request. Reading from there neither skips nor repeats output. */
  nextOffset: z.int(),
  /** True if more output exists than this response contains. */
  more: z.boolean(),
});
export type LogsAnswer = z.output<typeof logsAnswer>;

/**
 * Maximum distance from the end, in bytes, at which reading may start. This is more than a page
 * shows. Finding the first line takes about 10 ms, even if all output is one long line.
 */
const MAX_LAST_BYTES = 16 * 1_024 * 1_024;

export const logsQuery = z
  .strictObject({
    /** Number of the attempt. Default: the current attempt. */
    attempt: wholeNumber.optional(),
    /** Starts at this byte. Default: the first byte, unless `last` is set. */
    offset: wholeNumber.optional(),
    /**
     * Use instead of `offset`. Starts at the first line that begins within this many bytes of the
     * end.
     */
    last: wholeNumber
      .refine((bytes) => bytes >= 1 && bytes <= MAX_LAST_BYTES, `must be from 1 to ${MAX_LAST_BYTES}`)
      .optional(),
    stream: z.enum(['out', 'err']).default('out'),
  })
  .refine(
    ({ offset, last }) => offset === undefined || last === undefined,
    'must contain `offset` or `last`, not both',
  );
export type LogsQuery = z.output<typeof logsQuery>;
