/** What an operator asks of a daemon and what it answers, beside the board itself. */
import { z } from 'zod';
import { ACTIONS } from '../core/model/action.ts';
import { issueIdSchema } from '../core/model/ids.ts';
import { STATUSES } from '../core/model/status.ts';
import { APPROVAL_SUBJECTS } from '../domain/approval-subject.ts';
import { LIFECYCLE_STATES } from '../domain/lifecycle.ts';
import { MODES, PHASES } from '../domain/mode.ts';
import { noticesSchema, runningBaselinesSchema } from './baseline.ts';
import { issueStateSchema, stoppingSchema } from './board-state.ts';
import { budgetSchema } from './budget.ts';
import { failingLogSchema } from './ci.ts';
import { daySchema } from './day.ts';
import { faultSchema } from './error-answer.ts';

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
  /** Workers that are being stopped take no place of the limit. */
  workers: z.object({ live: z.int(), waiting: z.int(), stopping: z.int().optional(), limit: z.int() }),
  /** No worker is started while it is closed by a person, or open after many deaths at once. */
  starts: z.object({
    allowed: z.boolean(),
    why: z.string().optional(),
    /** `halt` has also stopped every worker; both it and `pause` are a person's, named in `by`. */
    kind: z.enum(['deaths', 'pause', 'halt']).optional(),
    by: z.string().optional(),
    since: z.number().optional(),
  }),
  autoAdvance: z.boolean(),
  /** What the board’s service still lets Legion ask, where it counts. */
  budget: z.object({ limit: z.number(), remaining: z.number(), resetsAt: z.number() }).optional(),
  /** Of one worker, and of all workers of an issue together. */
  budgets: z.object({ worker: budgetSchema, issue: budgetSchema }).optional(),
  /** What all workers have spent since local midnight, and what they may; no limit where one is absent. */
  day: daySchema.optional(),
  scripted: z.boolean().optional(), // the scripted agent may work: nothing it does is real
  /** What is wrong at present and does not stop the daemon: a configuration that was refused, a board that cannot be read. */
  troubles: z.array(faultSchema.extend({ since: z.number() })),
  baselines: runningBaselinesSchema.optional(),
  notices: noticesSchema.optional(),
});
export type HealthView = z.output<typeof healthSchema>;

export const workerSchema = z.object({
  id: z.string(),
  issue: z.string(),
  mode: z.enum(MODES),
  attempt: z.int(),
  sessionId: z.string(),
  version: z.int(),
  host: z.string(),
  /** Who works, and with which model, where the journal knows it. */
  agent: z.string().optional(),
  model: z.string().optional(),
  status: z.enum(LIFECYCLE_STATES),
  /** It was stopped, and its process has not ended yet. */
  stopping: stoppingSchema.optional(),
  /** Its process has ended without an accepted report, and Legion has not decided yet what that means. */
  hasExited: z.boolean().optional(),
  pid: z.int().optional(),
  startedAt: z.number(),
  /** Since when it is in its state. */
  since: z.number(),
  /** By all its attempts, as far as its agent counts. */
  spentUsd: z.number(),
  exit: z.object({ code: z.int().nullable(), signal: z.string().nullable(), at: z.number() }).optional(),
  crashes: z.int(),
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
  workspace: z.string().optional(),
});
export type WorkerView = z.output<typeof workerSchema>;

/** The verdict on a worker's health at this moment, with its reasons. */
export const workerStatusSchema = workerSchema.extend({
  health: z.object({
    verdict: z.string(),
    state: z.string(),
    next: z.string(),
    why: z.string(),
    wouldChange: z.string(),
    evidence: z.array(z.string()),
  }),
  /** All its attempts together, and what its budget means for it. */
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

export const dispatchRequest = z.strictObject({
  issue: issueIdSchema,
  mode: z.enum(MODES),
  prompt: z.string().max(32_768).optional(),
  version: z.int().nonnegative().optional(),
  env: z.record(z.string(), z.string()).optional(),
  repo: z.string().optional(),
  /** Passes the order of phases; it is written down who did. */
  force: z.boolean().default(false),
  by: z.string().min(1).max(100).default('operator'),
});
export type DispatchRequest = z.output<typeof dispatchRequest>;

/** A new version of a worker's session. */
export const reversionRequest = z.strictObject({ version: z.int().nonnegative() });

export const promptRequest = z.strictObject({
  text: z.string().trim().min(1).max(32_768),
  /** Cuts the present turn short; without it a busy worker hears it at the turn's end. */
  interrupt: z.boolean().default(false),
  by: z.string().min(1).max(100).default('operator'),
  /** Refused with `worker.ended` where the worker is not working: no phase that is over starts again. */
  onlyIfWorking: z.boolean().optional(),
});
export type PromptRequest = z.output<typeof promptRequest>;
export const promptAnswer = z.object({
  /** `delivered`: a session goes on with it now. `queued`: it is busy and gets it when it is idle. */
  delivery: z.enum(['delivered', 'queued']),
  message: z.int(),
  says: z.string(),
});
export type PromptAnswer = z.output<typeof promptAnswer>;

export const advanceRequest = z.strictObject({
  issue: issueIdSchema,
  /** Where the issue is meant to go: refused where that is not the next step. */
  stage: z.enum(STATUSES).optional(),
  dryRun: z.boolean().default(false),
});
export type AdvanceRequest = z.output<typeof advanceRequest>;
export const advanceAnswer = z.object({
  issue: z.string(),
  dryRun: z.boolean(),
  /** Something was done or begun; always false for a dry run. */
  advanced: z.boolean(),
  /** One sentence that says so, with the reason where nothing was done. */
  says: z.string(),
  decisions: z.array(
    z.object({ action: z.enum(ACTIONS), mode: z.enum(MODES), reason: z.string(), says: z.string() }),
  ),
  commands: z.array(z.string()),
  status: z.string(),
});
export type AdvanceAnswer = z.output<typeof advanceAnswer>;

const conditionSchema = z.object({
  name: z.string(),
  verdict: z.enum(['pass', 'fail', 'unknown']),
  evidence: z.string(),
});
export const gatesSchema = z.object({
  issue: z.string(),
  headSha: z.string().nullable(),
  preMerge: z.array(conditionSchema),
  autoMerge: z.object({ allowed: z.boolean(), conditions: z.array(conditionSchema) }),
  verdict: z.enum(['pass', 'fail', 'unknown']),
  /** Present once it is merged: the conditions are those of that moment. `by` is absent where they were not recorded. */
  merged: z
    .object({ pullRequest: z.int(), mergedSha: z.string(), at: z.number(), by: z.string().optional() })
    .optional(),
});
export type GatesView = z.output<typeof gatesSchema>;

export const explanationSchema = z.object({
  state: issueStateSchema,
  since: z.number().nullable(),
  rounds: z.record(z.string(), z.int()),
  workers: z.array(workerStatusSchema),
  /** By all its workers together, as their agents count it. */
  spent: z.object({ wallMs: z.number(), turns: z.number(), tokens: z.number(), usd: z.number() }),
  openIntents: z.array(z.object({ intent: z.int(), kind: z.string(), since: z.number() })),
  openQuestions: z.array(
    z.object({ question: z.int(), mode: z.enum(MODES), text: z.string(), askedAt: z.number() }),
  ),
  /** Sent to its workers and not delivered yet, oldest first. */
  waitingMessages: z.array(
    z.object({ message: z.int(), mode: z.enum(MODES), text: z.string(), queuedAt: z.number() }),
  ),
  /** The end of what the worker said whose failure stopped the issue, without secrets and control characters. */
  lastOutput: z.object({ mode: z.enum(MODES), attempt: z.int(), text: z.string() }).optional(),
  /** What happened lately, oldest first. */
  history: z.array(z.object({ at: z.number(), what: z.string(), evidence: z.array(z.string()).optional() })),
});
export type Explanation = z.output<typeof explanationSchema>;

export const inboxItemSchema = z.object({
  kind: z.enum([
    'question',
    'approval',
    'paused',
    'clarification',
    'worker',
    'escalation',
    'commands',
    'message',
    'budget',
    'problem',
  ]),
  issue: z.string().nullable(),
  title: z.string(),
  text: z.string(),
  since: z.number(),
  question: z.int().optional(),
  /** Whose question it is, or about whom it is. */
  mode: z.enum(MODES).optional(),
  /** What an approval lets happen. */
  approves: z.enum(APPROVAL_SUBJECTS).optional(),
  /** The command that shows what waits for approval. */
  read: z.string().optional(),
  /** The repository whose commands are meant. */
  repo: z.string().optional(),
  /** What CI printed last, where it is red. */
  ci: failingLogSchema.optional(),
  /** The command that settles it. */
  next: z.string(),
});
export type InboxItem = z.output<typeof inboxItemSchema>;

/** Who asks, for the journal. */
export const by = z.string().min(1).max(100).default('operator');
export const approveRequest = z.strictObject({ by });
export const answerRequest = z.strictObject({
  text: z.string().trim().min(1).max(32_768),
  by,
  /** The latest open one where it is absent. */
  question: z.int().positive().optional(),
});
export type AnswerRequest = z.output<typeof answerRequest>;
export const pauseRequest = z.strictObject({
  by,
  why: z.string().max(1_000).default('an operator paused it'),
});
export const resumeRequest = z.strictObject({ by });

/** Something was done, and what it means, in a sentence. */
export const saidAnswer = z.object({ says: z.string() });
export type Said = z.output<typeof saidAnswer>;

export const handoffsAnswer = z.object({ handoffs: z.partialRecord(z.enum(PHASES), z.unknown()) });
export type HandoffsAnswer = z.output<typeof handoffsAnswer>;

export const logsAnswer = z.object({
  worker: z.string(),
  attempt: z.int(),
  /** The byte of what was written with which `text` begins. */
  offset: z.int(),
  text: z.string(),
  /** Reading on from here misses nothing and repeats nothing. */
  nextOffset: z.int(),
  /** More was written than this answer holds. */
  more: z.boolean(),
});
export type LogsAnswer = z.output<typeof logsAnswer>;

/** A repository's commands run, and its prompts count, only after the operator has seen them. */
export const repositoryCommandsSchema = z.object({
  repo: z.string(),
  fingerprint: z.string(),
  approved: z.boolean(),
  commands: z.record(z.string(), z.array(z.string())),
  /** By the name of the template they replace. */
  prompts: z.record(z.string(), z.string()),
});
export type RepositoryCommands = z.output<typeof repositoryCommandsSchema>;

/** `fingerprint` names the very commands and prompts that were shown. */
export const approveCommandsRequest = z.strictObject({
  repo: z.string().min(1),
  fingerprint: z.string().min(1),
  by,
});
