/** What a worker may say to its daemon: one table behind `legion worker`, `legion mcp` and the HTTP route `/worker/:verb`. */
import { z } from 'zod';
import { jsonSchema } from '../domain/json.ts';
import { MODES, type Mode, PHASES } from '../domain/mode.ts';

/** Characters. A report or a comment is read by people; what is longer belongs into a file of the repository. */
const TEXT_MOST = 32_768;
const TITLE_MOST = 256;
const LINE_MOST = 1_000;
/** Entries of a list: more tasks, suites or sub-issues than anybody keeps in view. */
const LIST_MOST = 100;

const text = z.string().trim().min(1).max(TEXT_MOST);
const line = z.string().trim().min(1).max(LINE_MOST);
const lines = z.array(line).max(LIST_MOST);
const nothing = z.strictObject({});

/** What a phase leaves for the phases after it. */
export const handoffSchema = z.strictObject({
  summary: text,
  decided: lines.default([]),
  done: lines.default([]),
  left: lines.default([]),
  files: lines.default([]),
  tests: lines.default([]),
  /** Anything more a later phase should have, such as the plan's steps. */
  details: jsonSchema.optional(),
});

export type Handoff = z.output<typeof handoffSchema>;

const subIssue = z.strictObject({
  title: z.string().trim().min(1).max(TITLE_MOST),
  body: text,
  labels: z.array(z.string().trim().min(1).max(50)).max(20).default([]),
  priority: z.literal([0, 1, 2, 3, 4]).default(0),
  /** Places in this same list, counted from 0, of those that must be done first. */
  after: z.array(z.int().nonnegative()).max(LIST_MOST).default([]),
});

interface Verb {
  readonly summary: string;
  readonly input: z.ZodType;
  /** Who may use it; everybody where it is absent. */
  readonly modes?: readonly Mode[];
}

export const VERBS = {
  issue: { summary: 'read the issue, its comments and its pull request', input: nothing },
  done: {
    summary: 'report that the phase is finished; it counts when its proof is there',
    input: z.strictObject({
      summary: text,
      /** The work is unfit and goes back to the implementer. */
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
    summary: 'save how far the work is, for whoever continues it',
    input: z.strictObject({
      stage: line,
      completed: lines.default([]),
      remaining: lines.default([]),
      lastAction: line.default('none'),
    }),
  },
  handoff_read: {
    summary: 'read what earlier phases left; one of them, or all',
    input: z.strictObject({ phase: z.enum(PHASES).optional() }),
  },
  handoff_write: { summary: 'leave the handoff of this phase', input: handoffSchema },
  comment: {
    summary: 'comment on the issue',
    input: z.strictObject({ text, key: z.string().trim().min(1).max(200).optional() }),
  },
  split: {
    summary: 'make sub-issues of this issue, which then waits for them',
    input: z.strictObject({
      /** The same revision again changes nothing. */
      revision: z.int().positive().default(1),
      children: z.array(subIssue).min(1).max(LIST_MOST),
    }),
    modes: ['architect'],
  },
  push: {
    summary: 'push the workspace’s commits to this issue’s branch, and to no other',
    input: nothing,
    modes: ['implement', 'merge'],
  },
  pr_open: {
    summary: 'open the pull request of this issue’s branch',
    input: z.strictObject({
      title: z.string().trim().min(1).max(TITLE_MOST),
      body: text,
      draft: z.boolean().default(false),
    }),
    modes: ['implement'],
  },
  pr_edit: {
    summary: 'change title or body of the pull request',
    input: z.strictObject({
      title: z.string().trim().min(1).max(TITLE_MOST).optional(),
      body: text.optional(),
    }),
    modes: ['implement', 'merge'],
  },
  pr_show: { summary: 'show the pull request of this issue, with its body', input: nothing },
  pr_ready: { summary: 'take the pull request out of draft', input: nothing, modes: ['implement', 'merge'] },
  ci: {
    summary: 'show each check at the pull request’s head, and the end of the failing log',
    input: nothing,
  },
  verdict: {
    summary: 'say whether the tests pass at the pull request’s head',
    input: z.strictObject({
      result: z.enum(['pass', 'fail']),
      /** What was run, such as `unit`, `e2e`, `lint`. */
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
    summary: 'say whether the plan follows the architecture',
    input: z.strictObject({ verdict: z.enum(['approve', 'request-changes']), text }),
    modes: ['architect'],
  },
  merge: {
    summary: 'ask for the merge; every condition is checked again at this commit',
    input: nothing,
    modes: ['merge'],
  },
  message: {
    summary: 'send a message to another worker or a role; delivered when it is idle',
    input: z.strictObject({ to: z.string().trim().min(1).max(200), text }),
  },
  status: {
    summary: 'say that you are at work, and read what is known about you',
    input: z.strictObject({ text: text.optional() }),
  },
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof VERBS;
export const VERB_NAMES = Object.keys(VERBS) as readonly VerbName[];

/** Modes that may find the work unfit and send it back; the others have verdicts of their own, or none. */
export const SENDING_BACK: readonly Mode[] = ['test', 'merge'];

/** Absent: every mode. */
export function modesOf(verb: VerbName): readonly Mode[] {
  const { modes }: Verb = VERBS[verb];
  return modes ?? MODES;
}

export type VerbInput<V extends VerbName> = z.output<(typeof VERBS)[V]['input']>;

/** A report is safe in the outbox while the daemon is away; everything else needs the daemon's answer. */
export const KEPT_WHILE_AWAY: readonly VerbName[] = [
  'done',
  'error',
  'checkpoint',
  'handoff_write',
  'ask',
  'comment',
];
