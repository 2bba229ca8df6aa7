/**
 * The lifecycle of one attempt, and the records of attempts that crashed or were killed. Facts are
 * stored; the state is derived from them.
 */
import { formatDuration } from './format.ts';
import type { Mode } from './mode.ts';

/**
 * - `spawned`: dispatched. Ends with the first agent event, an exit, or the not-started limit.
 * - `executing`: the agent is working. Ends with a report, a wait, an exit, or a confirmed crash.
 * - `reporting`: the report is stored but not yet judged. Ends with acceptance, refusal, or the
 *   reporting limit.
 * - `finished`: the report was accepted. Final, even if the process is still running.
 * - `waiting-user`: the worker asked a question. Ends with a person's answer.
 * - `waiting-quota`: the provider is currently rejecting requests. Ends at the provider's reset
 *   time.
 * - `crashed`: exited or hung, according to the combined evidence. Final for this attempt; a
 *   respawn is another attempt.
 * - `paused`: crashed too often. Ends with a person's reset.
 * - `stopped`: was asked to stop and did. Final.
 */
export const LIFECYCLE_STATES = [
  'spawned',
  'executing',
  'reporting',
  'finished',
  'waiting-user',
  'waiting-quota',
  'crashed',
  'paused',
  'stopped',
] as const;

export type LifecycleState = (typeof LIFECYCLE_STATES)[number];

/** Known facts about one attempt. Every field holds the time at which the fact became known. */
export interface AttemptFacts {
  readonly dispatchedAt: number;
  readonly firstEventAt?: number;
  readonly waiting?: { readonly for: 'user' | 'quota'; readonly since: number; readonly until?: number };
  readonly reportedAt?: number;
  readonly acceptedAt?: number;
  readonly crashedAt?: number;
  /** Time at which the crash was first suspected, if it was suspected before it was confirmed. */
  readonly flaggedAt?: number;
  readonly pausedAt?: number;
  readonly stoppedAt?: number;
}

/**
 * Derives the state from the facts. Final states come before waits, and waits before work, so a
 * later fact of lower rank cannot revive an ended attempt.
 */
export function toLifecycleState(facts: AttemptFacts): LifecycleState {
  if (facts.acceptedAt !== undefined) return 'finished';
  if (facts.stoppedAt !== undefined) return 'stopped';
  if (facts.pausedAt !== undefined) return 'paused';
  if (facts.crashedAt !== undefined) return 'crashed';
  if (facts.reportedAt !== undefined) return 'reporting';
  if (facts.waiting !== undefined) return facts.waiting.for === 'user' ? 'waiting-user' : 'waiting-quota';
  return facts.firstEventAt === undefined ? 'spawned' : 'executing';
}

/**
 * Returns true for spawned, executing and reporting. A worker whose report was accepted is not
 * live, even if its process is still running.
 */
export function isLive(state: LifecycleState): boolean {
  return state === 'spawned' || state === 'executing' || state === 'reporting';
}

/**
 * Returns true for a worker that is waiting. It is not live, but it keeps its slot, so no other
 * worker may be dispatched in its place.
 */
export function isWaiting(state: LifecycleState): boolean {
  return state === 'waiting-user' || state === 'waiting-quota';
}

/** Returns true if no further event can change the attempt. */
export function hasEnded(state: LifecycleState): boolean {
  return state === 'finished' || state === 'crashed' || state === 'paused' || state === 'stopped';
}

export interface PendingStop {
  readonly since: number;
  /**
   * End of the grace period. Until then the worker may exit by itself; afterwards it is signalled.
   */
  readonly graceEndsAt: number;
  /** Why the worker was stopped, if the journal still has the command. */
  readonly why?: string | undefined;
  /** The worker's reason for needing more time, if it said that it is still working. */
  readonly working?: string | undefined;
}

const SECOND_MS = 1_000;

/**
 * Describes a worker that is being stopped, as `stopping (began 12s ago, at most 18s of its grace
 * period left)`, with `why` first in the parentheses and the worker's reason for more time last.
 * Every command and page uses this text.
 */
export function describePendingStop(
  { since, graceEndsAt, working }: PendingStop,
  now: number,
  why?: string,
): string {
  const began = now - since < SECOND_MS ? [] : [`began ${formatDuration(now - since)} ago`];
  const extended = working === undefined ? [] : [`it is still working: “${working}”`];
  const times = [...began, describeGracePeriod(since, graceEndsAt, now), ...extended].join(', ');
  return `stopping (${why === undefined ? '' : `${why}; `}${times})`;
}

function describeGracePeriod(since: number, graceEndsAt: number, now: number): string {
  if (graceEndsAt <= since) return 'without a grace period';
  // Rounded up, because the text says "at most".
  const leftMs = Math.ceil((graceEndsAt - now) / SECOND_MS) * SECOND_MS;
  return leftMs > 0
    ? `at most ${formatDuration(leftMs)} of its grace period left`
    : 'its grace period is over';
}

/** Effects of moving or closing an issue, apart from the change of status. */
export interface MoveEffects {
  /** `stopping`: the process has not exited yet. */
  readonly stoppedWorkers?:
    | readonly { readonly mode: Mode; readonly stopping?: PendingStop | undefined }[]
    | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** Describes which workers were stopped by moving or closing their issue, and the other effects. */
export function describeMoveEffects(
  { stoppedWorkers = [], notes = [] }: MoveEffects,
  now: number,
): readonly string[] {
  const stops = stoppedWorkers.map(({ mode, stopping }) => {
    const condition = stopping === undefined ? 'stopped' : describePendingStop(stopping, now);
    return `Its ${mode} worker is ${condition}.`;
  });
  return [...stops, ...notes];
}

export interface KillRecord {
  readonly worker: string;
  readonly attempt: number;
  readonly flaggedAt: number;
  readonly killedAt: number;
  readonly evidence: readonly string[];
}

/**
 * Activity of a killed attempt that was found after the kill. Each time is when the trace was
 * written, not when it was found.
 */
export interface TracesAfterKill {
  readonly reportAt: TraceTime;
  readonly changeAt: TraceTime;
  readonly agentEventAt: TraceTime;
}

export type TraceTime = number | 'none' | 'unavailable';

/** One attempt that ended in a confirmed crash. */
export interface FailedAttempt {
  readonly startedAt: number;
  readonly crashedAt: number;
  /** Description of how the attempt ended, for people. */
  readonly how?: string;
  /** Last error text of its agent. */
  readonly error?: string;
}
