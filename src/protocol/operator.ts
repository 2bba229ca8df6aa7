/** Operator requests and the daemon's responses, except for the board itself. */

import { z } from 'zod';
import { ACTIONS } from '../core/model/action.ts';
import { issueIdSchema } from '../core/model/ids.ts';
import { APPROVAL_SUBJECTS, ENTRY_POINTS, type EntryPoint, REJECTION_SUBJECTS } from '../core/model/issue.ts';
import { MODES, PHASES } from '../core/model/mode.ts';
import { STATUSES } from '../core/model/status.ts';
import { issueStateSchema } from './board-state.ts';
import { failingLogSchema } from './ci.ts';
import { workerStatusSchema } from './workers.ts';

/** Statuses and phases that an operator can force. New issues leave Triage by themselves. */
export const STAGES = [...STATUSES.filter((status) => status !== 'Triage'), ...PHASES] as const;
export type Stage = (typeof STAGES)[number];

/** Name of the requester, for the journal. */
export const operatorName = z.string().min(1).max(100).default('operator');

export const advanceRequest = z.strictObject({
  issue: issueIdSchema,
  /**
   * A status or a phase. If it is not the next one, the issue is forced into it, and the journal
   * records who did so.
   */
  stage: z.enum(STAGES).optional(),
  dryRun: z.boolean().default(false),
  by: operatorName,
});
export type AdvanceRequest = z.output<typeof advanceRequest>;
export const advanceAnswer = z.object({
  issue: z.string(),
  dryRun: z.boolean(),
  /** True if something was done or started. Always false for a dry run. */
  advanced: z.boolean(),
  /** One sentence on the outcome, with the reason if nothing was done. */
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
  /**
   * Set once the issue is merged. The conditions are then those recorded at the time of the merge.
   * If none were recorded, `by` is absent.
   */
  merged: z
    .object({ pullRequest: z.int(), mergedSha: z.string(), at: z.number(), by: z.string().optional() })
    .optional(),
});
export type GatesView = z.output<typeof gatesSchema>;

/** What a person is asked to approve. */
export const approvalSchema = z.object({
  subject: z.enum(APPROVAL_SUBJECTS),
  /**
   * Identifies exactly what is described. Send this value with the approval, so that the approval
   * covers nothing else.
   */
  version: z.string(),
  /** The specification, or the change with the merge conditions, as Markdown. */
  text: z.string(),
  /** Set if a merge is to be approved and its pull request can be read. */
  change: z
    .object({
      pullRequest: z.int(),
      headSha: z.string(),
      additions: z.number(),
      deletions: z.number(),
      files: z.array(z.string()).readonly(),
      url: z.string().optional(),
    })
    .optional(),
  gates: z.array(conditionSchema).readonly(),
});
export type ApprovalView = z.output<typeof approvalSchema>;

export const explanationSchema = z.object({
  state: issueStateSchema,
  since: z.number().nullable(),
  rounds: z.record(z.string(), z.int()),
  workers: z.array(workerStatusSchema),
  /** Usage of all workers of the issue, as their agents report it. */
  spent: z.object({ wallMs: z.number(), turns: z.number(), tokens: z.number(), usd: z.number() }),
  openIntents: z.array(z.object({ intent: z.int(), kind: z.string(), since: z.number() })),
  openQuestions: z.array(
    z.object({ question: z.int(), mode: z.enum(MODES), text: z.string(), askedAt: z.number() }),
  ),
  /** Messages to the issue's workers that are not delivered yet, oldest first. */
  waitingMessages: z.array(
    z.object({ message: z.int(), mode: z.enum(MODES), text: z.string(), queuedAt: z.number() }),
  ),
  /**
   * The last output of the worker whose failure stopped the issue, without secrets and control
   * characters.
   */
  lastOutput: z.object({ mode: z.enum(MODES), attempt: z.int(), text: z.string() }).optional(),
  /** What a person is asked to approve, while the issue waits for an approval. */
  approval: approvalSchema.optional(),
  /**
   * The last approval that a person gave, if it matters in the issue's current status, and whether
   * it still counts.
   */
  approved: z
    .object({
      of: z.enum(APPROVAL_SUBJECTS),
      by: z.string(),
      through: z.enum(ENTRY_POINTS),
      at: z.number(),
      sha: z.string().optional(),
      specification: z.int().optional(),
      counts: z.enum(['valid', 'void', 'unknown']),
      /** Why the approval does not count. */
      why: z.string().optional(),
    })
    .optional(),
  /** Recent events, oldest first. */
  history: z.array(z.object({ at: z.number(), what: z.string(), evidence: z.array(z.string()).optional() })),
});
export type IssueExplanation = z.output<typeof explanationSchema>;

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
  /** The mode of the worker that asked the question or that the item is about. */
  mode: z.enum(MODES).optional(),
  /** The action that an approval allows. */
  approves: z.enum(APPROVAL_SUBJECTS).optional(),
  /** What is to be approved. */
  approval: approvalSchema.optional(),
  /** The command that shows what needs approval. */
  read: z.string().optional(),
  /** The repository whose commands the item is about. */
  repo: z.string().optional(),
  /** The last output of CI, if it is red. */
  ci: failingLogSchema.optional(),
  /** The command that resolves the item. */
  next: z.string(),
});
export type InboxItem = z.output<typeof inboxItemSchema>;

/** Where the request was made, for the journal. */
const entryPoint = z.enum(ENTRY_POINTS).extract(['cli', 'dashboard', 'http']).default('http');
export const approveRequest = z.strictObject({
  by: operatorName,
  through: entryPoint,
  /** The `version` of what was shown. The approval is refused if that has changed. */
  version: z.string().min(1).optional(),
});
export type ApproveRequest = {
  readonly by: string;
  readonly through: EntryPoint;
  readonly version?: string | undefined;
};
export const rejectRequest = z.strictObject({
  by: operatorName,
  through: entryPoint,
  why: z.string().trim().min(1).max(32_768),
});
export type RejectRequest = { readonly by: string; readonly through: EntryPoint; readonly why: string };
export const answerRequest = z.strictObject({
  text: z.string().trim().min(1).max(32_768),
  by: operatorName,
  /** Number of the question to answer. Default: the latest open question. */
  question: z.int().positive().optional(),
});
export type AnswerRequest = z.output<typeof answerRequest>;
export const pauseRequest = z.strictObject({
  by: operatorName,
  why: z.string().max(1_000).default('an operator paused it'),
});
export const resumeRequest = z.strictObject({ by: operatorName });

/** The outcome of a request, in a sentence. */
export const actionAnswer = z.object({ says: z.string() });
export type ActionAnswer = z.output<typeof actionAnswer>;

export const approveAnswer = actionAnswer.extend({ approval: approvalSchema });
export type ApproveAnswer = z.output<typeof approveAnswer>;

export const rejectAnswer = actionAnswer.extend({ rejected: z.enum(REJECTION_SUBJECTS) });
export type RejectAnswer = z.output<typeof rejectAnswer>;

export const handoffsAnswer = z.object({ handoffs: z.partialRecord(z.enum(PHASES), z.unknown()) });
export type HandoffsAnswer = z.output<typeof handoffsAnswer>;

/** `fingerprint` identifies exactly the commands and prompts that were shown. */
export const approveCommandsRequest = z.strictObject({
  repo: z.string().min(1),
  fingerprint: z.string().min(1),
  by: operatorName,
});

/**
 * `ignore`: lets workers start even though a baseline fails, until the baseline passes or its
 * commands change. `rerun`: runs the baseline again now.
 */
export const baselineRequest = z.strictObject({
  action: z.enum(['ignore', 'rerun']),
  by: z.string().min(1).max(100).default('operator'),
});
export type BaselineRequest = z.output<typeof baselineRequest>;

/** `issueIds`: prune only these issues. Default: every finished issue. */
export const pruneRequest = z.strictObject({ issueIds: z.array(issueIdSchema).max(10_000).optional() });
export type PruneRequest = z.output<typeof pruneRequest>;

/**
 * Response to a request to delete the records of finished issues. `kept`: requested issues whose
 * records are still needed. Issues without records are in neither list.
 */
export const pruneAnswer = z.object({
  pruned: z.array(z.string()),
  kept: z.array(z.object({ issue: z.string(), why: z.string() })),
});
export type PruneAnswer = z.output<typeof pruneAnswer>;

/** `repo`: the expected repository of the worker's issue. */
export const removeWorkspaceRequest = z.strictObject({ repo: z.string().min(1).optional() });

/** Response to a request to remove the workspaces of finished issues. */
export const gcAnswer = z.object({
  removed: z.array(z.string()),
  kept: z.array(z.object({ issue: z.string(), why: z.string() })),
  pruned: z.array(z.string()),
});
export type GcAnswer = z.output<typeof gcAnswer>;

export const haltRequest = z.strictObject({
  by: z.string().min(1).max(100).default('operator'),
  why: z.string().trim().min(1).max(1_000).default('no reason given'),
});

/** `merging`: workers whose merge has started. Each is stopped when its merge has completed. */
export const haltAnswer = actionAnswer.extend({ stopped: z.array(z.string()), merging: z.array(z.string()) });
export type HaltAnswer = z.output<typeof haltAnswer>;

export const rollbackRequest = z.strictObject({ by: operatorName });

export const rollbackAnswer = actionAnswer.extend({
  /** The pull request that reverts the merge, and its branch. */
  pullRequest: z.int(),
  branch: z.string(),
  /**
   * The branch that the change was merged into. It contains the change until the revert is merged.
   */
  base: z.string(),
  /**
   * `closed` means closed without being merged. `unknown` means that the forge could not be read.
   */
  state: z.enum(['open', 'merged', 'closed', 'unknown']),
  /** The page where people can view and merge the revert. Absent if the forge has no pages. */
  url: z.string().optional(),
});
export type RollbackAnswer = z.output<typeof rollbackAnswer>;

export const mergeRequest = z.strictObject({
  by: operatorName,
  /** If true, merges a revert even if its CI is not green. The journal records the override. */
  force: z.boolean().default(false),
  /** Required if several repositories have a pull request with this number. */
  repo: z.string().min(1).optional(),
});

/** `number` comes from the path of the request. */
export type MergeRequest = z.output<typeof mergeRequest> & { readonly number: number };

export const mergeAnswer = actionAnswer.extend({
  pullRequest: z.int(),
  issue: z.string(),
  /** The branch that the pull request was merged into, and the resulting commit there. */
  base: z.string(),
  mergedSha: z.string(),
  /** The pull request whose merge this pull request reverts. */
  reverts: z.int().optional(),
  forced: z.boolean(),
});
export type MergeAnswer = z.output<typeof mergeAnswer>;

/** `held`: true if no worker starts on the issue until it is resumed. */
export const stopAnswer = actionAnswer.extend({ held: z.boolean() });
export type StopAnswer = z.output<typeof stopAnswer>;
