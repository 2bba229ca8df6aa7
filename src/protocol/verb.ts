/**
 * The verbs of the worker API with their inputs and responses: one table for `legion worker`,
 * `legion mcp` and the HTTP route `/worker/:verb`.
 */
import { z } from 'zod';
import { jsonSchema } from '../core/model/decode.ts';
import { LIFECYCLE_STATES } from '../core/model/lifecycle.ts';
import { MODES, type Mode, PHASES } from '../core/model/mode.ts';
import { commentSchema, issueSchema, pullRequestSchema } from './board.ts';
import { checkSchema } from './ci.ts';

/**
 * Maximum number of characters in a text. Reports and comments are read by people, so longer text
 * belongs in a file in the repository.
 */
const MAX_TEXT_CHARS = 32_768;
const MAX_TITLE_CHARS = 256;
const MAX_LINE_CHARS = 1_000;
/**
 * Maximum number of entries in a list: more tasks, suites or sub-issues than a person can keep
 * track of.
 */
const MAX_LIST_ENTRIES = 100;

const text = z.string().trim().min(1).max(MAX_TEXT_CHARS);
const line = z.string().trim().min(1).max(MAX_LINE_CHARS);
const lines = z.array(line).max(MAX_LIST_ENTRIES);
const emptyInput = z.strictObject({});

/** A phase's summary for later phases. */
export const handoffSchema = z.strictObject({
  summary: text,
  decided: lines.default([]),
  done: lines.default([]),
  left: lines.default([]),
  files: lines.default([]),
  tests: lines.default([]),
  /** The suites that ran, each with its result in any form. */
  testSuiteResults: z.record(line, jsonSchema).optional(),
  /** Anything else a later phase needs, such as the plan's steps. */
  details: jsonSchema.optional(),
});
export type Handoff = z.output<typeof handoffSchema>;

/** Details are an object here, because models send an untyped field as a string. */
const workerHandoff = handoffSchema.extend({ details: z.record(z.string(), jsonSchema).optional() });

const subIssue = z.strictObject({
  title: z.string().trim().min(1).max(MAX_TITLE_CHARS),
  body: text,
  labels: z.array(z.string().trim().min(1).max(50)).max(20).default([]),
  priority: z.literal([0, 1, 2, 3, 4]).default(0),
  /** Sub-issues that must be done first, as zero-based indexes into this list. */
  after: z.array(z.int().nonnegative()).max(MAX_LIST_ENTRIES).default([]),
});

interface VerbSpec {
  readonly summary: string;
  readonly input: z.ZodType;
  /** Modes that may use the verb. Absent means every mode. */
  readonly modes?: readonly Mode[];
}

export const VERBS = {
  issue: { summary: 'read the issue, its comments and its pull request', input: emptyInput },
  done: {
    summary: 'report that the phase is finished; accepted once its evidence exists',
    input: z.strictObject({
      summary: text,
      /** Rejects the work and sends it back to the implementer. */
      sentBack: text.optional(),
    }),
  },
  error: {
    summary: 'report that the phase cannot be finished, and why',
    input: z.strictObject({ summary: text }),
  },
  ask: {
    summary: 'ask a person; end your turn afterwards, the answer starts the next one',
    input: z.strictObject({ question: text }),
  },
  checkpoint: {
    summary: 'save your progress, so that a later attempt can continue the work',
    input: z.strictObject({
      stage: line,
      completed: lines.default([]),
      remaining: lines.default([]),
      lastAction: line.default('none'),
    }),
  },
  handoff_read: {
    summary: 'read the handoff of one earlier phase, or of all',
    input: z.strictObject({ phase: z.enum(PHASES).optional() }),
  },
  handoff_write: { summary: 'write the handoff of this phase', input: workerHandoff },
  comment: {
    summary: 'comment on the issue',
    input: z.strictObject({ text, key: z.string().trim().min(1).max(200).optional() }),
  },
  split: {
    summary: 'split this issue into sub-issues; it then waits for them',
    input: z.strictObject({
      /** Revision of the split. Sending the same revision again changes nothing. */
      revision: z.int().positive().default(1),
      children: z.array(subIssue).min(1).max(MAX_LIST_ENTRIES),
    }),
    modes: ['architect'],
  },
  push: {
    summary: 'push the workspace’s commits to this issue’s branch, and to no other',
    input: emptyInput,
    modes: ['implement', 'merge'],
  },
  pr_open: {
    summary: 'open the pull request of this issue’s branch',
    input: z.strictObject({
      title: z.string().trim().min(1).max(MAX_TITLE_CHARS),
      body: text,
      draft: z.boolean().default(false),
    }),
    modes: ['implement'],
  },
  pr_edit: {
    summary: 'change the title or body of the pull request',
    input: z.strictObject({
      title: z.string().trim().min(1).max(MAX_TITLE_CHARS).optional(),
      body: text.optional(),
    }),
    modes: ['implement', 'merge'],
  },
  pr_show: { summary: 'show the pull request of this issue, with its body', input: emptyInput },
  pr_ready: {
    summary: 'mark the pull request as ready for review',
    input: emptyInput,
    modes: ['implement', 'merge'],
  },
  ci: {
    summary: 'show each check at the pull request’s head, and the end of the failing log',
    input: emptyInput,
  },
  verdict: {
    summary: 'report whether the tests pass at the pull request’s head',
    input: z.strictObject({
      result: z.enum(['pass', 'fail']),
      /** The suites that ran, such as `unit`, `e2e`, `lint`. */
      suites: lines.default([]),
      detail: text.default('no details given'),
    }),
    modes: ['test'],
  },
  review: {
    summary: 'review the pull request at its head',
    input: z.strictObject({ verdict: z.enum(['approve', 'request-changes']), text }),
    modes: ['review'],
  },
  plan_review: {
    summary: 'report whether the plan follows the architecture',
    input: z.strictObject({ verdict: z.enum(['approve', 'request-changes']), text }),
    modes: ['architect'],
  },
  merge: {
    summary: 'request the merge; every condition is checked again at this commit',
    input: emptyInput,
    modes: ['merge'],
  },
  message: {
    summary: 'send a message to another worker or a role; delivered when the recipient is idle',
    input: z.strictObject({ to: z.string().trim().min(1).max(200), text }),
  },
  status: {
    summary: 'report that you are working, and read your recorded state; asks for more time during a stop',
    input: z.strictObject({ text: text.optional(), reason: line.optional() }),
  },
} as const satisfies Readonly<Record<string, VerbSpec>>;

export type VerbName = keyof typeof VERBS;
export const VERB_NAMES = Object.keys(VERBS) as readonly VerbName[];

/**
 * Modes that may reject the work and send it back. Every other mode either has a verdict of its own
 * or gives no verdict.
 */
export const MODES_THAT_SEND_BACK: readonly Mode[] = ['test', 'merge'];

/** Returns the modes that may use the verb. */
export function getVerbModes(verb: VerbName): readonly Mode[] {
  const { modes }: VerbSpec = VERBS[verb];
  return modes ?? MODES;
}

export type VerbInput<V extends VerbName> = z.output<(typeof VERBS)[V]['input']>;

/**
 * Verbs whose messages are stored in the outbox while the daemon is unreachable. Every other verb
 * needs the daemon's response.
 */
export const VERBS_KEPT_OFFLINE: readonly VerbName[] = [
  'done',
  'error',
  'checkpoint',
  'handoff_write',
  'ask',
  'comment',
];

const messageAnswer = z.object({ says: z.string() });

/**
 * If `accepted` is false, the response says what is missing: the worker must fix it and report
 * again. If `accepted` is undefined, the report is stored and will be judged later.
 */
const reportAnswer = messageAnswer.extend({
  durable: z.literal(true),
  accepted: z.boolean().optional(),
  missing: z.string().optional(),
  /** Set if the report was refused because the quality gate is red. */
  gate: z.literal('red').optional(),
});

/** The daemon's response to each verb. */
export const VERB_ANSWERS = {
  issue: z.object({
    issue: issueSchema,
    comments: z.array(commentSchema),
    pullRequest: pullRequestSchema.nullable(),
    remarks: z.array(
      z.object({
        kind: z.string(),
        by: z.string(),
        at: z.number(),
        text: z.string(),
        /** Set if the author does not have write access to the repository. */
        outsider: z.literal(true).optional(),
      }),
    ),
  }),
  done: reportAnswer,
  error: reportAnswer,
  ask: messageAnswer.extend({ question: z.int() }),
  checkpoint: messageAnswer,
  handoff_read: z.object({ handoffs: z.partialRecord(z.enum(PHASES), z.unknown()) }),
  handoff_write: messageAnswer.extend({ phase: z.enum(PHASES) }),
  comment: messageAnswer,
  split: messageAnswer.extend({ children: z.array(z.string()) }),
  push: messageAnswer.extend({ sha: z.string(), branch: z.string() }),
  pr_open: messageAnswer.extend({ number: z.int() }),
  pr_edit: messageAnswer,
  pr_show: pullRequestSchema.extend({
    base: z.string(),
    author: z.string(),
    labels: z.array(z.string()),
    additions: z.int(),
    deletions: z.int(),
    files: z.array(z.string()),
    body: z.string(),
  }),
  pr_ready: messageAnswer,
  ci: messageAnswer.extend({
    number: z.int(),
    sha: z.string(),
    status: pullRequestSchema.shape.ci,
    checks: z.array(checkSchema),
  }),
  verdict: messageAnswer.extend({ sha: z.string() }),
  review: messageAnswer.extend({ sha: z.string() }),
  plan_review: messageAnswer,
  merge: messageAnswer.extend({ mergedSha: z.string() }),
  message: messageAnswer.extend({ message: z.int() }),
  status: z.object({
    worker: z.string(),
    issue: z.string(),
    mode: z.enum(MODES),
    attempt: z.int(),
    state: z.enum(LIFECYCLE_STATES),
    says: z.string(),
  }),
} as const;

export type VerbAnswer<V extends keyof typeof VERB_ANSWERS> = z.output<(typeof VERB_ANSWERS)[V]>;
