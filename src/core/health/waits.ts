/**
 * Handles waits. A wait for a person is never suspicious, and a wait for quota ends at the quota
 * reset. Neither counts as a crash.
 */

import { describeDuration } from '../model/format.ts';
import type { RateLimit } from './evidence.ts';
import { type HealthContext, type HealthFinding, omitRepeatedNotice } from './judgement.ts';
import { findQuotaReset } from './limits.ts';

export function judgeWait(context: HealthContext): HealthFinding | undefined {
  const { state, rateLimit, stateSince } = context.evidence;
  if (state === 'waiting-user') return judgePersonWait(context);
  if (state === 'waiting-quota') {
    return judgeQuotaWait(
      context,
      typeof rateLimit === 'object' ? rateLimit : { seenAt: stateSince, resetAt: 'unknown' },
    );
  }
  if (typeof rateLimit === 'object' && isRefusalCurrent(context, rateLimit)) {
    // Record the wait first, so that the wake-up survives a restart and happens once.
    return { ...judgeQuotaWait(context, rateLimit), next: 'hold_for_quota' };
  }
  return undefined;
}

function judgePersonWait(context: HealthContext): HealthFinding {
  const { now, limits } = context;
  const since = context.evidence.stateSince;
  const waitedMs = since <= now ? now - since : 0;
  const waiting: HealthFinding = {
    verdict: 'waiting',
    next: 'leave_alone',
    why: `It asked a person ${describeDuration(waitedMs)} ago and is waiting for the answer; this is not a crash, however long it takes.`,
    wouldChange: 'The person answers; until then, they are reminded once a day.',
    until: 'person',
    lookAgainAt: now + Math.max(limits.afterStep, limits.remind - waitedMs),
  };
  // The worker's question has already notified the person, so the first reminder is due a full
  // interval later.
  return waitedMs < limits.remind ? waiting : omitRepeatedNotice(context, { ...waiting, next: 'remind' });
}

function judgeQuotaWait(context: HealthContext, limit: RateLimit): HealthFinding {
  const { evidence, now, limits } = context;
  const known = findQuotaReset(limit, limits);
  const reset = known ?? findRefusalTime(context, limit) + limits.quotaUnknown;
  const resumeAt = reset + computeJitter(evidence.worker, evidence.attempt, limits.quotaJitter);
  const origin = known === undefined ? 'gave no readable reset time' : 'gave its reset time';
  if (now >= resumeAt) {
    return {
      verdict: 'waiting',
      next: 'resume_after_quota',
      why: `The provider refused it for lack of quota and ${origin}; the wait ended ${describeDuration(now - resumeAt)} ago.`,
      wouldChange: 'The resumed session continues its work, or is refused again.',
      until: 'event',
      lookAgainAt: now + limits.heartbeat,
    };
  }
  return {
    verdict: 'waiting',
    next: 'leave_alone',
    why: `The provider refused it for lack of quota and ${origin}; this is not a crash.`,
    wouldChange: `It resumes at the reset, in ${describeDuration(resumeAt - now)}.`,
    until: 'time',
    lookAgainAt: resumeAt,
  };
}

/**
 * Returns the time at which the provider refused the attempt. If no time is readable, returns 0, so
 * that the wait counts as over: a needless resume costs one more refusal, but an endless wait
 * blocks the issue.
 */
function findRefusalTime({ evidence, now, limits }: HealthContext, { seenAt }: RateLimit): number {
  return [seenAt, evidence.stateSince].find((time) => time >= 0 && time - now <= limits.remind) ?? 0;
}

/**
 * Returns whether a quota refusal is current: it came after the attempt was last woken, and the
 * attempt has done nothing since.
 */
function isRefusalCurrent({ evidence, now }: HealthContext, { seenAt }: RateLimit): boolean {
  const { agent, stateSince, sessionFile } = evidence;
  // If `stateSince` is in the future, it was recorded before the clock was set back, so the refusal
  // is newer.
  if (!(seenAt >= stateSince) && stateSince <= now) return false;
  if (typeof sessionFile === 'object' && agent === 'unavailable') return sessionFile.at <= seenAt;
  if (agent === 'unavailable' || agent.kind === 'none') return true;
  const worked = agent.kind === 'text' || agent.kind === 'tool_started' || agent.kind === 'tool_ended';
  return !worked || agent.at <= seenAt;
}

/**
 * Computes a delay that differs between workers but stays the same for each worker, so that a
 * replay wakes the worker at the same time. Returns at least 0 and less than `limit`.
 */
export function computeJitter(worker: string, attempt: number, limit: number): number {
  return Math.floor((hashFnv1a(`${worker}:${attempt}`) / 2 ** 32) * limit);
}

/** Implements 32-bit FNV-1a, which is short and separates ids that differ in one letter. */
function hashFnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
