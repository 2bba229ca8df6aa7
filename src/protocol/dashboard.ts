/** What the dashboard asks for beside what every operator may: the board as cards, an issue's story, its changes, the figures. */
import { z } from 'zod';
import { SEEN_STATUSES } from '../core/model/status.ts';
import { LIFECYCLE_STATES } from '../domain/lifecycle.ts';
import { MODES } from '../domain/mode.ts';
import { stoppingSchema } from './board-state.ts';
import { digits } from './params.ts';

const mode = z.enum(MODES);

/** One issue on the board: what a person sees without opening it. */
export const cardSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(SEEN_STATUSES),
  /** The board's own name of the column. */
  column: z.string(),
  labels: z.array(z.string()),
  priority: z.literal([0, 1, 2, 3, 4]),
  /** When it came into its status, as far as Legion was looking. */
  since: z.number().nullable(),
  blockedBy: z.array(z.string()),
  /** What could not be read of the issue, each with the next step. */
  problems: z.array(z.string()).optional(),
  /** Who works on it or did so last. */
  worker: z
    .object({
      id: z.string(),
      mode,
      state: z.enum(LIFECYCLE_STATES),
      /** It was stopped, and its process has not ended yet. */
      stopping: stoppingSchema.optional(),
      /** Its process has ended without an accepted report, and Legion has not decided yet what that means. */
      hasExited: z.boolean().optional(),
      attempt: z.int(),
      agent: z.string().optional(),
      /** Since when it is in this state. */
      since: z.number(),
      /** The last thing it did, in a few words, and when. */
      last: z.object({ what: z.string(), at: z.number() }).nullable(),
    })
    .nullable(),
  /** What it waits for, in a sentence, and who or what ends that. */
  waits: z.object({ says: z.string(), by: z.string(), what: z.string() }).nullable(),
  /** Something in the inbox is about it. */
  needsYou: z.boolean(),
  pullRequest: z
    .object({ number: z.int(), state: z.string(), ci: z.string(), review: z.string() })
    .nullable(),
  spentUsd: z.number(),
});
export type Card = z.output<typeof cardSchema>;

export const boardSchema = z.object({
  /** The moment that is shown. */
  at: z.number(),
  /** The journal's version of it. */
  version: z.int(),
  /** False where it is a moment of the past: then labels, pull requests and what waits are as far as the journal tells. */
  isPresent: z.boolean(),
  /** When the tracker was last read; null before the first time. */
  readAt: z.number().nullable(),
  cards: z.array(cardSchema),
  /** Finished issues that were left out because they have been over for more than a week. */
  omitted: z.int(),
});
export type Board = z.output<typeof boardSchema>;

const moment = z.string().regex(/^\d{1,15}(?:\.\d{1,6})?$/, 'must be milliseconds since 1970');

/** A version of the journal or a moment; the present where neither is given. What lies outside of the journal is its nearer end. */
export const boardQuery = z
  .strictObject({
    version: digits.transform(Number).optional(),
    at: moment.transform(Number).optional(),
    /** `all`: with issues that have been over for more than a week. A moment of the past has all of them anyway. */
    finished: z.literal('all').optional(),
  })
  .refine(({ version, at }) => version === undefined || at === undefined, 'a version or a moment, not both');
export type BoardQuery = z.output<typeof boardQuery>;

/** The length of the journal in time, for a slider, with what happened when: `count` events in each of equal parts. */
export const spanSchema = z.object({
  first: z.object({ version: z.int(), at: z.number() }),
  last: z.object({ version: z.int(), at: z.number() }),
  parts: z.array(z.object({ from: z.number(), count: z.int() })),
});
export type JournalSpan = z.output<typeof spanSchema>;

/** One event in plain words. */
export const storyEntrySchema = z.object({
  version: z.int(),
  at: z.number(),
  type: z.string(),
  says: z.string(),
  /** Whose doing it was: what a reader filters by. */
  by: z.enum(['legion', 'worker', 'person', 'board']),
  mode: mode.optional(),
  attempt: z.int().optional(),
  /** Facts behind it, such as evidence of a verdict. */
  evidence: z.array(z.string()),
  /** Bookkeeping, which a reader sees only where every step is asked for. */
  routine: z.boolean(),
});
export type StoryEntry = z.output<typeof storyEntrySchema>;

export const storySchema = z.object({
  /** Oldest first. */
  entries: z.array(storyEntrySchema),
  /** There are older ones: ask again with `before` the first of these. */
  more: z.boolean(),
});
export type Story = z.output<typeof storySchema>;

/** What a page shows at once; the rest is asked for when somebody scrolls to it. */
const STORY_MOST = 500;
export const storyQuery = z.strictObject({
  before: digits.transform(Number).optional(),
  limit: digits
    .default('200')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= STORY_MOST, `must be from 1 to ${STORY_MOST}`),
});
export type StoryQuery = z.output<typeof storyQuery>;

/** Each life of each worker of an issue, oldest first. */
export const attemptSchema = z.object({
  mode,
  attempt: z.int(),
  agent: z.string().optional(),
  model: z.string().optional(),
  state: z.string(),
  dispatchedAt: z.number(),
  endedAt: z.number().nullable(),
  /** How it ended, in a sentence. */
  ending: z.string().nullable(),
  report: z
    .object({ outcome: z.enum(['done', 'error']), summary: z.string(), sentBack: z.string().optional() })
    .nullable(),
  spent: z.object({ turns: z.number(), tokens: z.number(), usd: z.number() }),
  /** What was found about its health, oldest first. */
  verdicts: z.array(z.object({ at: z.number(), says: z.string(), evidence: z.array(z.string()) })),
});
export type Attempt = z.output<typeof attemptSchema>;

/** What became of a file; `conflicted`: a merge in the workspace is under way and has not been settled there. */
const CHANGES = ['added', 'changed', 'deleted', 'renamed', 'retyped', 'conflicted'] as const;

export const diffSchema = z.object({
  /** The pull request's where there is one and its commits are here, else what the workspace holds. */
  of: z.enum(['pull_request', 'workspace', 'nothing']),
  /** What is shown, or why there is nothing to show, in a sentence. */
  says: z.string(),
  /** Commits; `head` is empty for a workspace, which may hold more than any. */
  base: z.string(),
  head: z.string(),
  /** Files or lines beyond the limit were left out. */
  truncated: z.boolean(),
  files: z.array(
    z.object({
      path: z.string(),
      /** Where it was before it was renamed. */
      from: z.string().optional(),
      change: z.enum(CHANGES),
      /** Null for a binary file. */
      additions: z.int().nullable(),
      deletions: z.int().nullable(),
      /** Unified, without the file's header; empty for a binary one. */
      patch: z.string(),
      /** Its patch is shorter than the change, or was left out. */
      cut: z.boolean(),
    }),
  ),
});
export type Diff = z.output<typeof diffSchema>;

const spread = z.object({ count: z.int(), medianMs: z.number(), p90Ms: z.number() });

/** How the legion has done, from its journal. */
export const figuresSchema = z.object({
  from: z.number(),
  to: z.number(),
  /** Issues that came to Done, in equal parts of the time. */
  throughput: z.array(z.object({ from: z.number(), done: z.int(), usd: z.number() })),
  /** From the first work on an issue to Done. */
  leadTime: spread.nullable(),
  leadTimes: z.array(z.object({ issue: z.string(), doneAt: z.number(), ms: z.number() })),
  /** How long issues stay in a status. */
  phases: z.array(spread.extend({ status: z.string() })),
  kills: z.object({ right: z.int(), wrong: z.int(), unjudged: z.int() }),
  attempts: z.object({ total: z.int(), crashed: z.int() }),
  /** `doneUsd`: by all work on the issues that came to Done, whenever it was spent. */
  spent: z.object({ usd: z.number(), tokens: z.number(), doneUsd: z.number() }),
});
export type Figures = z.output<typeof figuresSchema>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Older figures are not kept. */
const FIGURES_MOST_MS = 90 * DAY_MS;

export const figuresQuery = z.strictObject({
  /** How far back, in milliseconds: from a minute to 90 days. */
  back: digits
    .default(String(DAY_MS))
    .transform(Number)
    .refine((back) => back >= MINUTE_MS && back <= FIGURES_MOST_MS, 'must be from a minute to 90 days'),
});

/** A code that opens the dashboard once, within a minute. */
export const codeAnswer = z.object({ code: z.string(), expiresAt: z.number() });
export const enterRequest = z.strictObject({ code: z.string().min(1).max(200) });
/** `key` goes with every request of the page, beside the cookie that no script can read: neither alone is enough. */
export const enterAnswer = z.object({ key: z.string() });

/** What a page needs to know of the legion it shows. */
export const sessionSchema = z.object({
  legion: z.string(),
  backend: z.string(),
  /** Whether issues can be added and edited here; on other boards they can be moved, at most. */
  ownBoard: z.boolean(),
  statuses: z.array(z.object({ status: z.string(), column: z.string() })),
});
export type SessionView = z.output<typeof sessionSchema>;
