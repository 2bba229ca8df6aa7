/** What can happen, as the journal keeps it. Each event is shaped so that taking it in twice, or late, changes nothing. */
import { z } from 'zod';
import { decode } from '../../domain/decode.ts';
import { EVIDENCE_KINDS } from '../../domain/evidence.ts';
import { jsonSchema } from '../../domain/json.ts';
import { LABELS } from '../../domain/label.ts';
import { MODES, PHASES } from '../../domain/mode.ts';
import { ROUND_REASONS } from '../../domain/rounds.ts';
import { ACTIONS } from './action.ts';
import { PURPOSES, recordedCommandSchema } from './command.ts';
import type { Result } from './fault.ts';
import { issueIdSchema } from './ids.ts';
import { SEEN_STATUSES } from './status.ts';

const issue = issueIdSchema;
const mode = z.enum(MODES);
/** Numbers that only grow: an event with one already taken in is a repetition. */
const serial = z.int().positive();
const time = z.number();
const amount = z.number().nonnegative();
const texts = z.array(z.string());
/** When it was made; there is none; or it could not be looked for. */
const found = z.union([time, z.literal(['none', 'unavailable'])]);

/** One condition of a gate as it was checked. */
const condition = z.object({
  name: z.string(),
  verdict: z.enum(['pass', 'fail', 'unknown']),
  evidence: z.string(),
});

/** One life of a worker; `attempt` is the fencing token that separates it from those before it. */
const attempt = { issue, mode, attempt: serial } as const;
/** The worker's generation of crash counts when it was told; missing in old journals. */
const generation = z.int().nonnegative().optional();

function event<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), ...shape });
}

const eventBodySchema = z.discriminatedUnion('type', [
  /** A daemon took the legion over; its epoch is in the envelope. */
  event('leader.elected', { leader: z.string() }),

  event('decision.made', {
    issue,
    decision: serial,
    action: z.enum(ACTIONS),
    mode,
    reason: z.string(),
    evidence: texts,
  }),
  event('intent.opened', { intent: serial, command: recordedCommandSchema }),
  event('intent.settled', {
    intent: serial,
    outcome: z.enum(['done', 'failed', 'superseded']),
    detail: z.string(),
  }),

  event('attempt.dispatched', {
    ...attempt,
    session: z.string(),
    version: z.int().nonnegative(),
    host: z.string(),
    agent: z.string().optional(),
    model: z.string().optional(),
    /** Why it was called; absent in journals of an older version. */
    purpose: z.enum(PURPOSES).optional(),
  }),
  event('attempt.spawned', { ...attempt, pid: serial, startTime: z.string(), marker: z.string().optional() }),
  event('attempt.active', { ...attempt }),
  /** The agent's own id for the session, where it makes one. */
  event('attempt.session_paired', { ...attempt, native: z.string() }),
  event('attempt.waiting', {
    ...attempt,
    wait: serial,
    for: z.enum(['user', 'quota']),
    until: time.optional(),
  }),
  event('attempt.reported', {
    ...attempt,
    report: serial,
    outcome: z.enum(['done', 'error']),
    summary: z.string(),
    /** Of a tester or merger that found the work unfit: what is wrong with it, and why. */
    sentBack: z.string().optional(),
  }),
  event('attempt.report_accepted', { ...attempt, report: serial }),
  /** `unheard`: nobody waited for the answer, so the worker may have ended without hearing it. */
  event('attempt.report_refused', {
    ...attempt,
    report: serial,
    missing: z.string(),
    unheard: z.literal(true).optional(),
  }),
  event('attempt.exited', { ...attempt, code: z.int().nullable(), signal: z.string().nullable() }),
  /** `flaggedAt`: when it was first suspected; what it did after that shows whether a kill was right. */
  event('attempt.crashed', {
    ...attempt,
    evidence: texts,
    flaggedAt: time.optional(),
    /** There is nothing to go on with: the agent does not know the session, or its last answer was empty. */
    session: z.literal('lost').optional(),
    /** What the agent last said about something that failed. */
    error: z.string().optional(),
  }),
  /** It has crashed as often as allowed: only a person lets another attempt begin. */
  event('attempt.paused', { ...attempt, evidence: texts }),
  event('attempt.stopped', { ...attempt, why: z.string() }),
  /** Something of it survived the stop ladder: left to the cleanup, and no longer waited for. */
  event('attempt.zombie', { ...attempt, pid: serial }),
  /** What the attempt has used up so far: each amount only grows. `changedAt`: when its workspace last changed, if known. */
  event('attempt.spent', {
    ...attempt,
    turns: amount,
    tokens: amount,
    usd: amount,
    changedAt: time.optional(),
  }),
  /** A budget is nearly used up; `warning` names which. */
  event('attempt.warned', { ...attempt, generation, warning: z.string(), why: z.string() }),
  /** It is to come to an end by itself; after a grace it is stopped. */
  event('attempt.asked_to_stop', { ...attempt, generation, why: z.string() }),
  /** A person clears the crash count and what was used up; `generation` separates counts before from counts after. */
  event('crashes.reset', { issue, mode, generation: serial, by: z.string() }),

  event('question.asked', { ...attempt, question: serial, text: z.string() }),
  event('question.answered', { issue, question: serial, by: z.string(), text: z.string() }),
  event('checkpoint.saved', {
    ...attempt,
    checkpoint: serial,
    stage: z.string(),
    completed: texts,
    remaining: texts,
    lastAction: z.string(),
  }),
  event('handoff.written', { issue, phase: z.enum(PHASES), revision: serial, content: jsonSchema }),
  event('evidence.recorded', {
    issue,
    kind: z.enum(EVIDENCE_KINDS),
    revision: serial,
    sha: z.string(),
    verdict: z.enum(['passed', 'failed', 'could_not_run']),
    by: z.string(),
    suites: texts,
    detail: z.string(),
  }),

  /** Labels the journal knows of and the tracker does not yet. */
  event('labels.owed', {
    issue,
    revision: serial,
    add: z.array(z.enum(LABELS)),
    remove: z.array(z.enum(LABELS)),
    /** A person's hold of the issue: who set it, and why. */
    by: z.string().optional(),
    why: z.string().optional(),
  }),
  /** Everything owed up to this revision is on the tracker, or was made needless. */
  event('labels.written', { issue, revision: serial }),

  event('round.counted', {
    issue,
    reason: z.enum(ROUND_REASONS),
    generation: z.int().nonnegative(),
    count: serial,
  }),
  event('rounds.reset', { issue, generation: serial, by: z.string() }),
  /**
   * Written before the forge is asked to merge, with every condition as it was checked: after a crash this tells who asked
   * for the merge and why it was allowed. Its outcome is `merge.landed`, `revert.landed` or `merge.failed`.
   */
  event('merge.begun', {
    issue,
    begin: serial,
    pullRequest: serial,
    headSha: z.string(),
    by: z.string(),
    actor: z.enum(['worker', 'operator']),
    /** An operator's `--force`: what does not pass below was skipped. */
    forced: z.boolean(),
    preMerge: z.array(condition),
    autoMerge: z.object({ allowed: z.boolean(), conditions: z.array(condition) }).optional(),
  }),
  event('merge.failed', { issue, begin: serial, why: z.string() }),
  /** The issue's pull request was merged at a person's or a merge worker's word. */
  event('merge.landed', {
    issue,
    merge: serial,
    pullRequest: serial,
    headSha: z.string(),
    mergedSha: z.string(),
    auto: z.boolean(),
    /** The operator who merged it by a command of Legion's. */
    by: z.string().optional(),
  }),
  /** A person requested a revert: the pull request that was merged no longer counts for the issue. */
  event('merge.undone', { issue, merge: serial, revert: serial, branch: z.string(), by: z.string() }),
  /** The revert is merged: the base no longer contains the change. */
  event('revert.landed', {
    issue,
    revert: serial,
    mergedSha: z.string(),
    by: z.string(),
    forced: z.boolean(),
  }),
  event('split.made', { issue, revision: serial, children: z.array(issue) }),

  /** What was found right after it: a change of its workspace or a word of the agent later than the suspicion shows that it lived. */
  event('kill.performed', {
    ...attempt,
    kill: serial,
    evidence: texts,
    flaggedAt: time.optional(),
    changeAt: found.optional(),
    agentEventAt: found.optional(),
  }),
  event('kill.judged', { ...attempt, kill: serial, right: z.boolean(), why: z.string() }),
  /** No worker is started from here on. A person's hold carries `kind` and `by`; without them many deaths caused it. */
  event('breaker.opened', {
    breaker: serial,
    why: z.string(),
    kind: z.enum(['pause', 'halt']).optional(),
    by: z.string().optional(),
  }),
  event('breaker.closed', { breaker: serial, by: z.string() }),

  /** The machine slept, or somebody set its clock, by so many ms: no time of any worker has passed. */
  event('clock.jumped', { jump: serial, byMs: time }),

  event('message.queued', {
    message: serial,
    to: z.string(),
    key: z.string(),
    body: z.string(),
    /** The present turn is to be cut short for it. */
    interrupt: z.boolean().optional(),
  }),
  event('message.delivered', { message: serial }),
  /** It could not be delivered in time, so a person has to see it. */
  event('message.set_aside', { message: serial, why: z.string() }),

  /** The board shows the issue otherwise than before: what it was at any moment can be told afterwards. */
  event('issue.sighted', {
    issue,
    sight: serial,
    title: z.string(),
    status: z.enum(SEEN_STATUSES),
    column: z.string(),
  }),
  /** It is no longer on the board. */
  event('issue.left', { issue, sight: serial }),

  /** The issue is over and cleaned up: only the serials that must never repeat are kept. */
  event('issue.pruned', { issue, prune: serial }),

  /** Stands for an event of a type that nothing writes any more; it changes nothing. */
  event('event.retired', { was: z.string() }),
]);

export type EventBody = z.infer<typeof eventBodySchema>;
export type EventType = EventBody['type'];

/** An event that is in the journal: `seq` counts from 1 without gaps, `epoch` is the leader's that wrote it. */
export type Event = EventBody & { readonly seq: number; readonly at: number; readonly epoch: number };

export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** Every type this version understands; another one means the journal is from a newer version. */
export const EVENT_TYPES: ReadonlySet<string> = new Set(
  eventBodySchema.options.map((option) => option.shape.type.value),
);

/** Types of earlier versions: their journals stay readable. */
const RETIRED_TYPES: ReadonlySet<unknown> = new Set(['attempt.woken']);

export function decodeEventBody(data: unknown): Result<EventBody> {
  const { type: was } = (data ?? {}) as { readonly type?: unknown };
  const known = RETIRED_TYPES.has(was) ? { type: 'event.retired', was } : data;
  return decode(eventBodySchema, known, 'event');
}

/** The form of every event as JSON Schema; it changes whenever an event may look different than before. */
export function eventBodyForm(): string {
  return JSON.stringify(z.toJSONSchema(eventBodySchema));
}
