/** What the daemon answers to each verb of a worker. */
import { z } from 'zod';
import { LIFECYCLE_STATES } from '../domain/lifecycle.ts';
import { MODES, PHASES } from '../domain/mode.ts';
import { commentSchema, issueSchema, pullRequestSchema } from './board.ts';
import { checkSchema } from './ci.ts';

const said = z.object({ says: z.string() });

/** `accepted: false` names what is missing: mend it and report again. `undefined`: it is safe, and judged later. */
const judged = said.extend({
  durable: z.literal(true),
  accepted: z.boolean().optional(),
  missing: z.string().optional(),
  /** It is refused because the quality gate is red. */
  gate: z.literal('red').optional(),
});

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
        /** By somebody who may not write to the repository. */
        outsider: z.literal(true).optional(),
      }),
    ),
  }),
  done: judged,
  error: judged,
  ask: said.extend({ question: z.int() }),
  checkpoint: said,
  handoff_read: z.object({ handoffs: z.partialRecord(z.enum(PHASES), z.unknown()) }),
  handoff_write: said.extend({ phase: z.enum(PHASES) }),
  comment: said,
  split: said.extend({ children: z.array(z.string()) }),
  push: said.extend({ sha: z.string(), branch: z.string() }),
  pr_open: said.extend({ number: z.int() }),
  pr_edit: said,
  pr_show: pullRequestSchema.extend({
    base: z.string(),
    author: z.string(),
    labels: z.array(z.string()),
    additions: z.int(),
    deletions: z.int(),
    files: z.array(z.string()),
    body: z.string(),
  }),
  pr_ready: said,
  ci: said.extend({
    number: z.int(),
    sha: z.string(),
    status: pullRequestSchema.shape.ci,
    checks: z.array(checkSchema),
  }),
  verdict: said.extend({ sha: z.string() }),
  review: said.extend({ sha: z.string() }),
  plan_review: said,
  merge: said.extend({ mergedSha: z.string() }),
  message: said.extend({ message: z.int() }),
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
