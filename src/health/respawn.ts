/** What follows a confirmed crash: stop what is left, wait, pause, resume or start afresh. Its slot is free already. */
import { backoffOf, type Life } from './backoff.ts';
import type { Explanation } from './judgement.ts';
import { type HealthLimits, healthLimits } from './limits.ts';
import { inWords } from './words.ts';

export interface CrashFacts {
  readonly attempt: number;
  /** Every life of this worker that ended in a confirmed crash since a person last reset the count; this one is last. */
  readonly lives: readonly Life[];
  /** What the stop ladder has come to: `zombie` is recorded and left to the cleanup. */
  readonly remains: 'none' | 'alive' | 'zombie';
  readonly isBreakerOpen: boolean;
  /** `dead`: its last output was empty, so there is nothing to go on with. */
  readonly session: 'resumable' | 'dead';
  readonly hasCheckpoint: boolean;
}

export interface Respawn extends Explanation {
  readonly step: 'stop_remains' | 'wait' | 'pause_and_escalate' | 'resume' | 'start_fresh';
}

export function respawn(facts: CrashFacts, now: number, given: Partial<HealthLimits>): Respawn {
  const limits = healthLimits(given);
  const evidence = [
    `crashes=${facts.lives.length}`,
    `attempt=${facts.attempt}`,
    `remains=${facts.remains}`,
    `session=${facts.session}`,
    `checkpoint=${facts.hasCheckpoint ? 'yes' : 'no'}`,
    `breaker=${facts.isBreakerOpen ? 'open' : 'closed'}`,
  ];
  const answer = (
    step: Respawn['step'],
    why: string,
    wouldChange: string,
    lookAgainAt = now + limits.heartbeat,
  ): Respawn => ({ step, why, evidence, wouldChange, until: UNTIL[step], lookAgainAt });

  if (facts.remains === 'alive')
    return answer('stop_remains', 'Something of it is still there.', 'The end of the stop ladder.');

  const tooOften = tooOftenBecause(facts.lives, now, limits);
  if (tooOften !== undefined)
    return answer('pause_and_escalate', tooOften, 'A person who resets the crash count.');
  if (facts.isBreakerOpen)
    return answer('wait', 'The breaker is open: too many workers crashed at once.', 'The breaker closing.');
  const due = dueAt(facts.lives, now, limits);
  if (now < due)
    return answer(
      'wait',
      `It crashed just now; the back-off ends in ${inWords(due - now)}.`,
      'The end of the back-off.',
      due,
    );
  if (facts.session === 'resumable')
    return answer(
      'resume',
      'Its session may still be there, with everything it knows.',
      'A resume that fails leads to a fresh session.',
    );
  const basis = facts.hasCheckpoint ? 'its checkpoint in the prompt' : 'no checkpoint to go by';
  return answer(
    'start_fresh',
    `Its session cannot be resumed; a new one starts with ${basis}.`,
    'The new attempt at work.',
  );
}

const UNTIL = {
  stop_remains: 'event',
  wait: 'time',
  pause_and_escalate: 'person',
  resume: 'event',
  start_fresh: 'event',
} as const;

/** Written so that a count that cannot be read pauses: a loop costs more than a question. */
function tooOftenBecause(lives: readonly Life[], now: number, limits: HealthLimits): string | undefined {
  if (!(lives.length <= limits.respawns))
    return `It crashed ${times(lives.length)}; ${times(limits.respawns)} is what a respawn is allowed for.`;
  const recent = lives.filter(({ crashedAt }) => now - crashedAt <= limits.loopWindow).length;
  if (recent < limits.loopCrashes) return undefined;
  return `It crashed ${times(recent)} within ${inWords(limits.loopWindow)}.`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** A crash time that cannot be read, or lies ahead, gives no back-off: the count above bounds the loop. */
function dueAt(lives: readonly Life[], now: number, limits: HealthLimits): number {
  const crashedAt = lives.at(-1)?.crashedAt ?? Number.NaN;
  return crashedAt <= now ? crashedAt + backoffOf(lives, limits) : now;
}
