/** Data for the dashboard only: the board as cards, an issue's history, its changes, and statistics. */
import { z } from 'zod';
import { LIFECYCLE_STATES } from '../core/model/lifecycle.ts';
import { MODES } from '../core/model/mode.ts';
import { OBSERVED_STATUSES } from '../core/model/status.ts';
import { stoppingSchema } from './board-state.ts';
import { digits } from './endpoint.ts';

const mode = z.enum(MODES);

/** One issue on the board, as people see it without opening it. */
export const cardSchema = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(OBSERVED_STATUSES),
  /** The board's own column name. */
  column: z.string(),
  labels: z.array(z.string()),
  priority: z.literal([0, 1, 2, 3, 4]),
  /** The time at which the issue entered its current status. Null if that time is not known. */
  since: z.number().nullable(),
  blockedBy: z.array(z.string()),
  /** Parts of the issue that could not be read, each with the next step. */
  problems: z.array(z.string()).optional(),
  /** The current or last worker of the issue. */
  worker: z
    .object({
      id: z.string(),
      mode,
      state: z.enum(LIFECYCLE_STATES),
      /** The worker was asked to stop, and its process has not exited yet. */
      stopping: stoppingSchema.optional(),
      /**
       * True if the process exited without an accepted report and Legion has not yet judged the
       * exit.
       */
      hasExited: z.boolean().optional(),
      attempt: z.int(),
      agent: z.string().optional(),
      /** The time at which the worker entered this state. */
      since: z.number(),
      /** The worker's last activity in a few words, and its time. */
      last: z.object({ what: z.string(), at: z.number() }).nullable(),
    })
    .nullable(),
  /** Why the issue is waiting, as a sentence, and who or what ends the wait. */
  waits: z.object({ says: z.string(), by: z.string(), what: z.string() }).nullable(),
  /** The inbox has an entry about this issue. */
  needsYou: z.boolean(),
  pullRequest: z
    .object({ number: z.int(), state: z.string(), ci: z.string(), review: z.string() })
    .nullable(),
  spentUsd: z.number(),
});
export type DashboardCard = z.output<typeof cardSchema>;

export const boardSchema = z.object({
  /** The point in time that is shown. */
  at: z.number(),
  /** The journal version at that time. */
  version: z.int(),
  /**
   * False for a past point in time. The board then shows only those labels, pull requests and waits
   * that the journal recorded.
   */
  isPresent: z.boolean(),
  /** The time at which the tracker was last read. Null before the first read. */
  readAt: z.number().nullable(),
  cards: z.array(cardSchema),
  /** Number of issues left out because they finished more than a week ago. */
  omitted: z.int(),
});
export type DashboardBoard = z.output<typeof boardSchema>;

const epochMs = z.string().regex(/^\d{1,15}(?:\.\d{1,6})?$/, 'must be milliseconds since 1970');

/**
 * Selects a journal version or a point in time. Default: the present. A value outside the journal
 * selects the nearer end of the journal.
 */
export const boardQuery = z
  .strictObject({
    version: digits.transform(Number).optional(),
    at: epochMs.transform(Number).optional(),
    /**
     * `all`: includes issues that finished more than a week ago. Past boards always include them.
     */
    finished: z.literal('all').optional(),
  })
  .refine(
    ({ version, at }) => version === undefined || at === undefined,
    'must contain `version` or `at`, not both',
  );
export type BoardQuery = z.output<typeof boardQuery>;

/**
 * The time span of the journal, for a slider. The span is divided into equal parts, each with its
 * number of events.
 */
export const spanSchema = z.object({
  first: z.object({ version: z.int(), at: z.number() }),
  last: z.object({ version: z.int(), at: z.number() }),
  parts: z.array(z.object({ from: z.number(), count: z.int() })),
});
export type JournalSpan = z.output<typeof spanSchema>;

/** One event in plain English. */
export const storyEntrySchema = z.object({
  version: z.int(),
  at: z.number(),
  type: z.string(),
  says: z.string(),
  /** The party that caused the event. Readers can filter by it. */
  by: z.enum(['legion', 'worker', 'person', 'board']),
  mode: mode.optional(),
  attempt: z.int().optional(),
  /** Facts behind the event, such as evidence for a verdict. */
  evidence: z.array(z.string()),
  /** True for bookkeeping events, which are shown only if the reader asks for every step. */
  routine: z.boolean(),
});
export type StoryEntry = z.output<typeof storyEntrySchema>;

export const storySchema = z.object({
  /** Oldest first. */
  entries: z.array(storyEntrySchema),
  /**
   * True if older entries exist. Request them with `before` set to the first entry of this page.
   */
  more: z.boolean(),
});
export type StoryPage = z.output<typeof storySchema>;

/** Maximum number of entries per page. Older ones load when the reader scrolls to them. */
const MAX_STORY_ENTRIES = 500;
export const storyQuery = z.strictObject({
  before: digits.transform(Number).optional(),
  limit: digits
    .default('200')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= MAX_STORY_ENTRIES, `must be from 1 to ${MAX_STORY_ENTRIES}`),
});
export type StoryQuery = z.output<typeof storyQuery>;

/** One attempt of a worker of an issue. Lists are oldest first. */
export const attemptSchema = z.object({
  mode,
  attempt: z.int(),
  agent: z.string().optional(),
  model: z.string().optional(),
  state: z.string(),
  dispatchedAt: z.number(),
  endedAt: z.number().nullable(),
  /** How the attempt ended, in a sentence. */
  ending: z.string().nullable(),
  report: z
    .object({ outcome: z.enum(['done', 'error']), summary: z.string(), sentBack: z.string().optional() })
    .nullable(),
  spent: z.object({ turns: z.number(), tokens: z.number(), usd: z.number() }),
  /** Health verdicts, oldest first. */
  verdicts: z.array(z.object({ at: z.number(), says: z.string(), evidence: z.array(z.string()) })),
});
export type AttemptView = z.output<typeof attemptSchema>;

const distribution = z.object({ count: z.int(), medianMs: z.number(), p90Ms: z.number() });

/** Statistics of the legion, from its journal. */
export const figuresSchema = z.object({
  from: z.number(),
  to: z.number(),
  /** The number of issues that reached Done, for each of several equal parts of the period. */
  throughput: z.array(z.object({ from: z.number(), done: z.int(), usd: z.number() })),
  /** The time from the first work on an issue until the issue is Done. */
  leadTime: distribution.nullable(),
  leadTimes: z.array(z.object({ issue: z.string(), doneAt: z.number(), ms: z.number() })),
  /** How long issues stay in each status. */
  phases: z.array(distribution.extend({ status: z.string() })),
  kills: z.object({ right: z.int(), wrong: z.int(), unjudged: z.int() }),
  attempts: z.object({ total: z.int(), crashed: z.int() }),
  /**
   * `doneUsd`: cost of all work on the issues that reached Done, including cost from before the
   * period.
   */
  spent: z.object({ usd: z.number(), tokens: z.number(), doneUsd: z.number() }),
});
export type LegionFigures = z.output<typeof figuresSchema>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longest period for which statistics are kept. */
const MAX_FIGURES_MS = 90 * DAY_MS;

export const figuresQuery = z.strictObject({
  /** Length of the period in milliseconds, from a minute to 90 days. */
  back: digits
    .default(String(DAY_MS))
    .transform(Number)
    .refine((back) => back >= MINUTE_MS && back <= MAX_FIGURES_MS, 'must be from a minute to 90 days'),
});

/** A code that opens the dashboard. It can be used once, within a minute. */
export const codeAnswer = z.object({ code: z.string(), expiresAt: z.number() });
export const enterRequest = z.strictObject({ code: z.string().min(1).max(200) });
/**
 * `key` is one half of a session's proof. The page sends it with every request, in addition to the
 * cookie, which no script can read. Neither half is enough alone.
 */
export const enterAnswer = z.object({ key: z.string() });

/** Facts about the legion that a page needs. */
export const sessionSchema = z.object({
  legion: z.string(),
  backend: z.string(),
  /**
   * True if issues can be added and edited here. False for other boards, where issues can at most
   * be moved.
   */
  ownBoard: z.boolean(),
  statuses: z.array(z.object({ status: z.string(), column: z.string() })),
});
export type SessionView = z.output<typeof sessionSchema>;
