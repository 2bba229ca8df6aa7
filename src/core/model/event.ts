/** The journal's events. Applying an event twice or late changes nothing. */
import { z } from 'zod';
import { ACTIONS } from './action.ts';
import { recordedCommandSchema, SPAWN_PURPOSES } from './command.ts';
import { decode, jsonSchema } from './decode.ts';
import { EVIDENCE_KINDS } from './evidence.ts';
import type { Result } from './fault.ts';
import { issueIdSchema } from './ids.ts';
import { APPROVAL_SUBJECTS, ENTRY_POINTS, REJECTION_SUBJECTS } from './issue.ts';
import { LABELS } from './label.ts';
import { MODES, PHASES, ROUND_REASONS } from './mode.ts';
import { OBSERVED_STATUSES } from './status.ts';

const issue = issueIdSchema;
const mode = z.enum(MODES);
/** Numbers that only grow. An event with a number that was already applied is a repeat. */
const serial = z.int().positive();
const time = z.number();
const amount = z.number().nonnegative();
const texts = z.array(z.string());
/**
 * The time at which a trace of activity was made, `none` if there is no trace, or `unavailable` if
 * the time could not be read.
 */
const traceTime = z.union([time, z.literal(['none', 'unavailable'])]);

/** One gate condition as it was checked. */
const condition = z.object({
  name: z.string(),
  verdict: z.enum(['pass', 'fail', 'unknown']),
  evidence: z.string(),
});

/**
 * One attempt of a worker. `attempt` is the fencing token that separates it from earlier attempts.
 */
const attempt = { issue, mode, attempt: serial } as const;
/** The worker's crash-count generation at the time of the event. Missing in old journals. */
const generation = z.int().nonnegative().optional();

function defineEvent<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), ...shape });
}

const eventBodySchema = z.discriminatedUnion('type', [
  /** A daemon took over the legion. Its epoch is in the envelope. */
  defineEvent('leader.elected', { leader: z.string() }),

  defineEvent('decision.made', {
    issue,
    decision: serial,
    action: z.enum(ACTIONS),
    mode,
    reason: z.string(),
    evidence: texts,
  }),
  defineEvent('intent.opened', { intent: serial, command: recordedCommandSchema }),
  defineEvent('intent.settled', {
    intent: serial,
    outcome: z.enum(['done', 'failed', 'superseded']),
    detail: z.string(),
  }),

  defineEvent('attempt.dispatched', {
    ...attempt,
    session: z.string(),
    version: z.int().nonnegative(),
    host: z.string(),
    agent: z.string().optional(),
    model: z.string().optional(),
    /** Why the worker was started. Absent in journals of older versions. */
    purpose: z.enum(SPAWN_PURPOSES).optional(),
  }),
  defineEvent('attempt.spawned', {
    ...attempt,
    pid: serial,
    startTime: z.string(),
    marker: z.string().optional(),
  }),
  defineEvent('attempt.active', { ...attempt }),
  /** The agent's own session id, if it assigns one. */
  defineEvent('attempt.session_paired', { ...attempt, native: z.string() }),
  defineEvent('attempt.waiting', {
    ...attempt,
    wait: serial,
    for: z.enum(['user', 'quota']),
    until: time.optional(),
  }),
  defineEvent('attempt.reported', {
    ...attempt,
    report: serial,
    outcome: z.enum(['done', 'error']),
    summary: z.string(),
    /** Set by a tester or merger that rejects the work: what is wrong with it, and why. */
    sentBack: z.string().optional(),
  }),
  defineEvent('attempt.report_accepted', { ...attempt, report: serial }),
  /**
   * `unheard`: no caller was waiting for the answer, so the worker may have ended without receiving
   * it.
   */
  defineEvent('attempt.report_refused', {
    ...attempt,
    report: serial,
    missing: z.string(),
    unheard: z.literal(true).optional(),
  }),
  defineEvent('attempt.exited', { ...attempt, code: z.int().nullable(), signal: z.string().nullable() }),
  /**
   * `flaggedAt`: when the crash was first suspected. Activity after that time shows that a kill was
   * wrong.
   */
  defineEvent('attempt.crashed', {
    ...attempt,
    evidence: texts,
    flaggedAt: time.optional(),
    /**
     * The session cannot be continued: the agent does not know it, or its last answer was empty.
     */
    session: z.literal('lost').optional(),
    /** The agent's last error message. */
    error: z.string().optional(),
  }),
  /** The attempt reached the crash limit. Only a person can allow another attempt. */
  defineEvent('attempt.paused', { ...attempt, evidence: texts }),
  defineEvent('attempt.stopped', { ...attempt, why: z.string() }),
  /** The worker was asked to stop and said that it is still working, so it gets more time. */
  defineEvent('attempt.stop_extended', { ...attempt, extension: serial, why: z.string() }),
  /**
   * A process survived the stop ladder. The cleanup handles it, and nothing waits for it any more.
   */
  defineEvent('attempt.zombie', { ...attempt, pid: serial }),
  /**
   * The attempt's usage so far; each amount only grows. `changedAt`: when its workspace last
   * changed, if known.
   */
  defineEvent('attempt.spent', {
    ...attempt,
    turns: amount,
    tokens: amount,
    usd: amount,
    changedAt: time.optional(),
  }),
  /** A budget is nearly used up. `warning` identifies the budget. */
  defineEvent('attempt.warned', { ...attempt, generation, warning: z.string(), why: z.string() }),
  /** The worker should end by itself. After a grace period it is stopped. */
  defineEvent('attempt.asked_to_stop', { ...attempt, generation, why: z.string() }),
  /**
   * A person resets the crash count and the usage. `generation` separates the counts before and
   * after.
   */
  defineEvent('crashes.reset', { issue, mode, generation: serial, by: z.string() }),

  defineEvent('question.asked', { ...attempt, question: serial, text: z.string() }),
  defineEvent('question.answered', {
    issue,
    question: serial,
    by: z.string(),
    text: z.string(),
    /** Id of the comment on the tracker that contains the answer. */
    comment: z.string().optional(),
  }),
  defineEvent('checkpoint.saved', {
    ...attempt,
    checkpoint: serial,
    stage: z.string(),
    completed: texts,
    remaining: texts,
    lastAction: z.string(),
  }),
  defineEvent('handoff.written', { issue, phase: z.enum(PHASES), revision: serial, content: jsonSchema }),
  defineEvent('evidence.recorded', {
    issue,
    kind: z.enum(EVIDENCE_KINDS),
    revision: serial,
    sha: z.string(),
    verdict: z.enum(['passed', 'failed', 'could_not_run']),
    by: z.string(),
    suites: texts,
    detail: z.string(),
  }),

  /** Labels that are in the journal but not on the tracker yet. */
  defineEvent('labels.owed', {
    issue,
    revision: serial,
    add: z.array(z.enum(LABELS)),
    remove: z.array(z.enum(LABELS)),
    /** Set if a person holds the issue: who holds it, and why. */
    by: z.string().optional(),
    why: z.string().optional(),
  }),
  /** All label changes owed up to this revision are on the tracker or no longer needed. */
  defineEvent('labels.written', { issue, revision: serial }),

  defineEvent('round.counted', {
    issue,
    reason: z.enum(ROUND_REASONS),
    generation: z.int().nonnegative(),
    count: serial,
  }),
  defineEvent('rounds.reset', { issue, generation: serial, by: z.string() }),
  /**
   * Written before the forge is asked to merge, with every condition as it was checked. After a
   * crash, this event shows who asked for the merge and why it was allowed. The outcome is recorded
   * as `merge.landed`, `revert.landed` or `merge.failed`.
   */
  defineEvent('merge.begun', {
    issue,
    begin: serial,
    pullRequest: serial,
    headSha: z.string(),
    by: z.string(),
    actor: z.enum(['worker', 'operator']),
    /** True if an operator used `--force`, which skips the conditions below that do not pass. */
    forced: z.boolean(),
    preMerge: z.array(condition),
    autoMerge: z.object({ allowed: z.boolean(), conditions: z.array(condition) }).optional(),
  }),
  defineEvent('merge.failed', { issue, begin: serial, why: z.string() }),
  /** The issue's pull request was merged at the request of a person or a merge worker. */
  defineEvent('merge.landed', {
    issue,
    merge: serial,
    pullRequest: serial,
    headSha: z.string(),
    mergedSha: z.string(),
    auto: z.boolean(),
    /** The operator who merged it with a Legion command. */
    by: z.string().optional(),
  }),
  /** A person requested a revert. From then on, the issue no longer counts as merged. */
  defineEvent('merge.undone', { issue, merge: serial, revert: serial, branch: z.string(), by: z.string() }),
  /** The revert is merged: the base no longer contains the change. */
  defineEvent('revert.landed', {
    issue,
    revert: serial,
    mergedSha: z.string(),
    by: z.string(),
    forced: z.boolean(),
  }),
  /**
   * A person's approval. It covers only the commit of a merge, or the revision of a specification,
   * and is void when that changes.
   */
  defineEvent('approval.given', {
    issue,
    approval: serial,
    of: z.enum(APPROVAL_SUBJECTS),
    by: z.string(),
    through: z.enum(ENTRY_POINTS),
    /** Set for a merge. */
    sha: z.string().optional(),
    /** Set for a specification. */
    specification: z.int().nonnegative().optional(),
  }),
  /** A person rejected a result. The worker that produced it continues with the reason. */
  defineEvent('work.rejected', {
    issue,
    rejection: serial,
    of: z.enum(REJECTION_SUBJECTS),
    by: z.string(),
    through: z.enum(ENTRY_POINTS),
    why: z.string(),
  }),
  defineEvent('split.made', { issue, revision: serial, children: z.array(issue) }),

  /**
   * Observations made right after the kill. A workspace change or an agent event after the
   * suspicion shows that the worker was alive.
   */
  defineEvent('kill.performed', {
    ...attempt,
    kill: serial,
    evidence: texts,
    flaggedAt: time.optional(),
    changeAt: traceTime.optional(),
    agentEventAt: traceTime.optional(),
  }),
  defineEvent('kill.judged', { ...attempt, kill: serial, right: z.boolean(), why: z.string() }),
  /**
   * No worker starts after this event. `kind` and `by` are set for a person's hold; otherwise many
   * crashes caused the hold.
   */
  defineEvent('breaker.opened', {
    breaker: serial,
    why: z.string(),
    kind: z.enum(['pause', 'halt']).optional(),
    by: z.string().optional(),
  }),
  defineEvent('breaker.closed', { breaker: serial, by: z.string() }),

  /**
   * The machine slept for `byMs`, or its clock was set by that much. This time is not charged to
   * any worker.
   */
  defineEvent('clock.jumped', { jump: serial, byMs: time }),

  defineEvent('message.queued', {
    message: serial,
    to: z.string(),
    key: z.string(),
    body: z.string(),
    /** The message interrupts the current turn. */
    interrupt: z.boolean().optional(),
  }),
  defineEvent('message.delivered', { message: serial }),
  /** The message could not be delivered in time, so a person has to see it. */
  defineEvent('message.set_aside', { message: serial, why: z.string() }),

  /**
   * The board's view of the issue changed. The board at any past moment can be derived from these
   * events.
   */
  defineEvent('issue.sighted', {
    issue,
    sight: serial,
    title: z.string(),
    status: z.enum(OBSERVED_STATUSES),
    column: z.string(),
  }),
  /** The issue is no longer on the board. */
  defineEvent('issue.left', { issue, sight: serial }),

  /** The issue is finished and cleaned up. Only the serial numbers that must never repeat are kept. */
  defineEvent('issue.pruned', { issue, prune: serial }),

  /** Replaces an event of a type that is no longer written. Changes nothing. */
  defineEvent('event.retired', { was: z.string() }),
]);

export type EventBody = z.infer<typeof eventBodySchema>;
export type EventType = EventBody['type'];

/**
 * An event in the journal. `seq` counts from 1 without gaps; `epoch` belongs to the leader that
 * wrote it.
 */
export type Event = EventBody & { readonly seq: number; readonly at: number; readonly epoch: number };

export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/**
 * Every type this version understands. An unknown type means that a newer version wrote the
 * journal.
 */
export const EVENT_TYPES: ReadonlySet<string> = new Set(
  eventBodySchema.options.map((option) => option.shape.type.value),
);

/** Types that only earlier versions wrote. Their journals stay readable. */
const RETIRED_TYPES: ReadonlySet<unknown> = new Set(['attempt.woken']);

export function decodeEventBody(data: unknown): Result<EventBody> {
  const { type: was } = (data ?? {}) as { readonly type?: unknown };
  const known = RETIRED_TYPES.has(was) ? { type: 'event.retired', was } : data;
  return decode(eventBodySchema, known, 'event');
}

/** Returns the JSON Schema of all events. It changes whenever the shape of an event changes. */
export function renderEventJsonSchema(): string {
  return JSON.stringify(z.toJSONSchema(eventBodySchema));
}
