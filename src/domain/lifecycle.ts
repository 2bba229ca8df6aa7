/** The life of one attempt: facts are stored, the state is derived from them. */

/**
 * - `spawned`       dispatched; ends with the first agent event, an exit, or the not-started limit.
 * - `executing`     the agent works; ends with a report, a wait, an exit, or a confirmed crash.
 * - `reporting`     its report is durable but not yet judged; ends with acceptance, refusal, or the reporting limit.
 * - `finished`      its report was accepted; an end, whatever its process still does.
 * - `waiting-user`  it asked a question; ends with a person's answer.
 * - `waiting-quota` the provider refused it for now; ends at the provider's reset time.
 * - `crashed`       it died or hung, by joined evidence; an end of this attempt, a respawn is another attempt.
 * - `paused`        it crashed too often; ends with a person's reset.
 * - `stopped`       it was asked to stop and did; an end.
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

/** What is known of one attempt; every field is a fact with the time it became known. */
export interface AttemptFacts {
  readonly dispatchedAt: number;
  readonly firstEventAt?: number;
  readonly waiting?: { readonly for: 'user' | 'quota'; readonly since: number; readonly until?: number };
  readonly reportedAt?: number;
  readonly acceptedAt?: number;
  readonly crashedAt?: number;
  /** When a crash was first suspected, where that came before it was confirmed. */
  readonly flaggedAt?: number;
  readonly pausedAt?: number;
  readonly stoppedAt?: number;
}

/** Ends come before waits, waits before work: a later fact of a lower rank cannot revive an ended attempt. */
export function lifecycleOf(facts: AttemptFacts): LifecycleState {
  if (facts.acceptedAt !== undefined) return 'finished';
  if (facts.stoppedAt !== undefined) return 'stopped';
  if (facts.pausedAt !== undefined) return 'paused';
  if (facts.crashedAt !== undefined) return 'crashed';
  if (facts.reportedAt !== undefined) return 'reporting';
  if (facts.waiting !== undefined) return facts.waiting.for === 'user' ? 'waiting-user' : 'waiting-quota';
  return facts.firstEventAt === undefined ? 'spawned' : 'executing';
}

/** Spawned, executing or reporting. An acknowledged worker is not live, whatever its process does. */
export function isLive(state: LifecycleState): boolean {
  return state === 'spawned' || state === 'executing' || state === 'reporting';
}

/** A waiting worker is not live, yet its place is taken: nothing else may be dispatched in its stead. */
export function isWaiting(state: LifecycleState): boolean {
  return state === 'waiting-user' || state === 'waiting-quota';
}

/** No further event can move an ended attempt. */
export function hasEnded(state: LifecycleState): boolean {
  return state === 'finished' || state === 'crashed' || state === 'paused' || state === 'stopped';
}
