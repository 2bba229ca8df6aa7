/** What the daemon performs. Each command is idempotent by the number of the intent that carries it. */
import { z } from 'zod';
import { LABELS } from '../../domain/label.ts';
import { MODES } from '../../domain/mode.ts';
import { issueIdSchema } from './ids.ts';
import { STATUSES } from './status.ts';

/** Why a session is started or continued: it chooses the prompt. */
export const PURPOSES = [
  'start',
  'retro',
  'ci_failure',
  'test_failure',
  'review_changes',
  'conflict',
  'sent_back',
  'quality_gate',
  'plan_review',
  'plan_changes',
  'feedback',
  'operator',
  'missing_pr',
  'missing_review',
  'crash',
] as const;

export type Purpose = (typeof PURPOSES)[number];

const issue = issueIdSchema;
const mode = z.enum(MODES);
const count = z.int().nonnegative();

export const commandSchema = z.discriminatedUnion('kind', [
  /** Status and labels of one step go out as one batched write. */
  z.object({
    kind: z.literal('write_issue'),
    issue,
    moveTo: z.enum(STATUSES).optional(),
    add: z.array(z.enum(LABELS)),
    remove: z.array(z.enum(LABELS)),
    /** Owed labels up to this revision are in it; 0 where none were owed. Later ones are another write's. */
    covers: count,
  }),
  /** Continues the session if it is there, else starts it afresh with the same prompt. */
  z.object({
    kind: z.literal('spawn'),
    issue,
    mode,
    attempt: count,
    version: count,
    purpose: z.enum(PURPOSES),
    /** Who is to work; absent in orders of an older version, when it was what is configured. */
    agent: z.string().optional(),
    model: z.string().optional(),
    /** What an operator gives this attempt beyond the usual; it is in the journal, so no place for secrets. */
    env: z.record(z.string(), z.string()).optional(),
  }),
  /** `key` makes a repeated post land on the first one. */
  z.object({ kind: z.literal('comment'), issue, key: z.string(), text: z.string() }),
  /** One entry in the inbox, and one comment, for a person to act on. */
  z.object({
    kind: z.literal('escalate'),
    issue,
    key: z.string(),
    text: z.string(),
    /** Whose last output is added to the comment. */
    worker: z.object({ mode, attempt: count }).optional(),
  }),
  z.object({ kind: z.literal('reread_forge'), issue }),
  z.object({ kind: z.literal('run_quality_gate'), issue, sha: z.string() }),
  z.object({ kind: z.literal('add_closing_keyword'), issue, line: z.string() }),
  z.object({ kind: z.literal('stop'), issue, mode, attempt: count, evidence: z.array(z.string()) }),
  z.object({ kind: z.literal('clean_workspace'), issue }),
]);

export type Command = z.infer<typeof commandSchema>;

/** Orders that nothing gives any more; earlier versions knew them. */
const RETIRED_KINDS: ReadonlySet<unknown> = new Set(['probe']);

/** As a journal may hold it. A retired order becomes one that changes nothing, because its intent keeps its number. */
export const recordedCommandSchema = z.preprocess((given) => {
  const { kind, issue: about } = (given ?? {}) as { readonly kind?: unknown; readonly issue?: unknown };
  return RETIRED_KINDS.has(kind) ? { kind: 'reread_forge', issue: about } : given;
}, commandSchema);
