/** Waiting for a person never becomes suspicious, and waiting for the provider's quota ends at its reset: neither is a crash. */
import type { RateLimit } from '../../health/evidence.ts';
import { jitterOf } from '../../health/jitter.ts';
import type { Finding, Look } from '../../health/judgement.ts';
import { tellPerson } from '../../health/person.ts';
import { namedReset } from '../../health/quota-reset.ts';
import { inWords } from '../../health/words.ts';

export function waits(look: Look): Finding | undefined {
  const { state, rateLimit, stateSince } = look.evidence;
  if (state === 'waiting-user') return forPerson(look);
  if (state === 'waiting-quota') {
    return forQuota(
      look,
      typeof rateLimit === 'object' ? rateLimit : { seenAt: stateSince, resetAt: 'unknown' },
    );
  }
  if (typeof rateLimit === 'object' && refusedSinceItWorked(look, rateLimit)) {
    // Not yet recorded as a wait: that comes first, so that the wake-up survives a restart and happens once.
    return { ...forQuota(look, rateLimit), next: 'hold_for_quota' };
  }
  return undefined;
}

function forPerson(look: Look): Finding {
  const { now, limits } = look;
  const since = look.evidence.stateSince;
  const asked = since <= now ? now - since : 0;
  const waiting: Finding = {
    verdict: 'waiting',
    next: 'leave_alone',
    why: `It asked a person ${inWords(asked)} ago and waits for the answer; that is never a crash, however long it takes.`,
    wouldChange: 'The answer; until it comes, the person is reminded once a day.',
    until: 'person',
    lookAgainAt: now + Math.max(limits.afterStep, limits.remind - asked),
  };
  // The question itself counts as telling the person.
  return asked < limits.remind ? waiting : tellPerson(look, { ...waiting, next: 'remind' });
}

function forQuota(look: Look, limit: RateLimit): Finding {
  const { evidence, now, limits } = look;
  const known = namedReset(limit, limits);
  const reset = known ?? refusedAt(look, limit) + limits.quotaUnknown;
  const resumeAt = reset + jitterOf(evidence.worker, evidence.attempt, limits.quotaJitter);
  const origin = known === undefined ? 'gave no readable reset time' : 'named its reset time';
  if (now >= resumeAt) {
    return {
      verdict: 'waiting',
      next: 'resume_after_quota',
      why: `The provider refused it for lack of quota and ${origin}; that passed ${inWords(now - resumeAt)} ago.`,
      wouldChange: 'The resumed session going on with its work, or another refusal.',
      until: 'event',
      lookAgainAt: now + limits.heartbeat,
    };
  }
  return {
    verdict: 'waiting',
    next: 'leave_alone',
    why: `The provider refused it for lack of quota and ${origin}; this is no crash.`,
    wouldChange: `It is resumed at the reset, in ${inWords(resumeAt - now)}.`,
    until: 'time',
    lookAgainAt: resumeAt,
  };
}

/** When even that cannot be read the wait is over: a needless resume costs one more refusal, an endless wait the issue. */
function refusedAt({ evidence, now, limits }: Look, { seenAt }: RateLimit): number {
  return [seenAt, evidence.stateSince].find((time) => time >= 0 && time - now <= limits.remind) ?? 0;
}

/** A refusal counts while nothing was done after it, in this waking of the attempt. */
function refusedSinceItWorked({ evidence, now }: Look, { seenAt }: RateLimit): boolean {
  const { agent, stateSince, sessionFile } = evidence;
  // A state that began in the future was written before the clock was set back: then the refusal came after it.
  if (!(seenAt >= stateSince) && stateSince <= now) return false;
  if (typeof sessionFile === 'object' && agent === 'unavailable') return sessionFile.at <= seenAt;
  if (agent === 'unavailable' || agent.kind === 'none') return true;
  const worked = agent.kind === 'text' || agent.kind === 'tool_started' || agent.kind === 'tool_ended';
  return !worked || agent.at <= seenAt;
}
