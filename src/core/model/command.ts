/**
 * Commands that the daemon runs. The number of the intent that contains a command makes it
 * idempotent.
 */
import { z } from 'zod';
import { issueIdSchema } from './ids.ts';
import { LABELS } from './label.ts';
import { MODES } from './mode.ts';
import { STATUSES } from './status.ts';

/** Why a session is started or continued. Selects the prompt. */
export const SPAWN_PURPOSES = [
  'start',
  'retro',
  'ci_failure',
  'ci_timeout',
  'test_failure',
  'review_changes',
  'conflict',
  'sent_back',
  'quality_gate',
  'plan_review',
  'plan_changes',
  'rejected',
  'feedback',
  'operator',
  'missing_pr',
  'missing_review',
  'crash',
] as const;

export type SpawnPurpose = (typeof SPAWN_PURPOSES)[number];

const issue = issueIdSchema;
const mode = z.enum(MODES);
const count = z.int().nonnegative();

export const commandSchema = z.discriminatedUnion('kind', [
  /** One step's status and labels are written in one batch. */
  z.object({
    kind: z.literal('write_issue'),
    issue,
    moveTo: z.enum(STATUSES).optional(),
    add: z.array(z.enum(LABELS)),
    remove: z.array(z.enum(LABELS)),
    /**
     * This write includes all label changes that were owed up to this revision. 0 if none were
     * owed. Newer label changes follow in a later write.
     */
    covers: count,
  }),
  /** Continues the session if it exists, otherwise starts a new one with the same prompt. */
  z.object({
    kind: z.literal('spawn'),
    issue,
    mode,
    attempt: count,
    version: count,
    purpose: z.enum(SPAWN_PURPOSES),
    /** Absent in commands of older versions, which always used the configured agent. */
    agent: z.string().optional(),
    model: z.string().optional(),
    /**
     * Extra variables that an operator sets for this attempt. They are stored in the journal, so
     * they must never contain secrets.
     */
    env: z.record(z.string(), z.string()).optional(),
  }),
  /** A second post with the same `key` reuses the first comment. */
  z.object({ kind: z.literal('comment'), issue, key: z.string(), text: z.string() }),
  /**
   * Creates the comment `key`, or replaces its text. The issue remembers the last `revision` of
   * each key, so that each is written once.
   */
  z.object({
    kind: z.literal('put_comment'),
    issue,
    key: z.string(),
    revision: z.string(),
    text: z.string(),
    /** Number of the pull request that is commented on, instead of the issue. */
    pullRequest: count.optional(),
  }),
  /** Creates one inbox entry and one comment for a person to act on. */
  z.object({
    kind: z.literal('escalate'),
    issue,
    key: z.string(),
    text: z.string(),
    /** The worker whose last output is added to the comment. */
    worker: z.object({ mode, attempt: count }).optional(),
  }),
  z.object({ kind: z.literal('reread_forge'), issue }),
  z.object({ kind: z.literal('run_quality_gate'), issue, sha: z.string() }),
  z.object({ kind: z.literal('add_closing_keyword'), issue, line: z.string() }),
  z.object({ kind: z.literal('stop'), issue, mode, attempt: count, evidence: z.array(z.string()) }),
  z.object({ kind: z.literal('clean_workspace'), issue }),
]);

export type Command = z.infer<typeof commandSchema>;

/** Commands that only earlier versions issued. */
const RETIRED_KINDS: ReadonlySet<unknown> = new Set(['probe']);

/**
 * Decodes commands from any journal. A retired command becomes a command that changes nothing, so
 * that its intent keeps its number.
 */
export const recordedCommandSchema = z.preprocess((data) => {
  const { kind, issue: about } = (data ?? {}) as { readonly kind?: unknown; readonly issue?: unknown };
  return RETIRED_KINDS.has(kind) ? { kind: 'reread_forge', issue: about } : data;
}, commandSchema);
