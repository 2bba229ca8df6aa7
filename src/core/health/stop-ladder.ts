/** How a worker is stopped: ask, wait, TERM to its group, KILL, a short drain; and never a signal to what may not be ours. */
import { presenceOf } from '../../health/condition.ts';
import type { ProcessEvidence } from '../../health/evidence.ts';
import type { Explanation } from '../../health/judgement.ts';
import { type HealthLimits, healthLimits } from '../../health/limits.ts';
import { inWords } from '../../health/words.ts';

export interface StopFacts {
  /** Read anew before every step: a pid may have passed to somebody else since the last. */
  readonly process: ProcessEvidence;
  readonly orderedAt: number;
  /** `pointless`: its crash is confirmed, it has been probed already. `halted`: a halt gives no grace. */
  readonly asked: 'not_yet' | 'pointless' | 'halted' | { readonly at: number };
  readonly answer: 'none' | 'agreed' | 'still_working';
  readonly termAt?: number;
  readonly killAt?: number;
  /** Whether its output is read to the end. */
  readonly output: 'closed' | 'open';
  /** Whether other processes of its group are left. */
  readonly group: 'none' | 'left' | 'unavailable';
}

export interface StopStep extends Explanation {
  readonly step: 'ask' | 'wait' | 'term_group' | 'kill_group' | 'drain' | 'record_zombie' | 'done';
}

export function stopLadder(facts: StopFacts, now: number, given: Partial<HealthLimits>): StopStep {
  const limits = healthLimits(given);
  const { step, why, wouldChange, at } = rungOf(facts, now, limits);
  const evidence = [
    `process=${presenceOf(facts.process)}`,
    `asked=${typeof facts.asked === 'object' ? `${inWords(now - facts.asked.at)} ago` : facts.asked}`,
    `answer=${facts.answer}`,
    `term=${facts.termAt === undefined ? 'no' : `${inWords(now - facts.termAt)} ago`}`,
    `kill=${facts.killAt === undefined ? 'no' : `${inWords(now - facts.killAt)} ago`}`,
    `output=${facts.output}`,
    `group=${facts.group}`,
  ];
  if (step === 'done') return { step, why, evidence, wouldChange, until: 'nothing_more' };
  if (step === 'record_zombie') return { step, why, evidence, wouldChange, until: 'event' };
  const until = step === 'wait' || step === 'drain' ? 'time' : 'event';
  return {
    step,
    why,
    evidence,
    wouldChange,
    until,
    lookAgainAt: Math.max(at ?? now, now) + (at === undefined ? limits.afterStep : 0),
  };
}

interface Rung {
  readonly step: StopStep['step'];
  readonly why: string;
  readonly wouldChange: string;
  readonly at?: number;
}

function rungOf(facts: StopFacts, now: number, limits: HealthLimits): Rung {
  const { orderedAt, asked, termAt, killAt } = facts;
  const times = [orderedAt, typeof asked === 'object' ? asked.at : 0, termAt ?? 0, killAt ?? 0];
  if (!Number.isFinite(now) || !times.every((time) => Number.isFinite(time) && time >= 0))
    return zombie('A time in its record cannot be read, so no signal may follow from it.');
  const presence = presenceOf(facts.process);
  if (presence === 'no') return afterItsEnd(facts, now, limits);
  if (presence === 'unavailable') return unchecked(orderedAt, now, limits);
  if (killAt !== undefined) {
    const until = killAt + limits.drain;
    if (now >= until) return zombie(`It survived SIGKILL by ${inWords(now - killAt)}.`);
    return {
      step: 'drain',
      why: 'It was sent SIGKILL.',
      wouldChange: `Its end, or ${inWords(until - now)}.`,
      at: until,
    };
  }
  if (termAt !== undefined) {
    const why = `It was sent SIGTERM ${inWords(now - termAt)} ago and is still there.`;
    return onceDue(termAt + limits.termToKill, now, 'kill_group', why);
  }
  if (asked === 'not_yet')
    return {
      step: 'ask',
      why: 'Nobody is stopped without being asked first.',
      wouldChange: 'Its answer or its end.',
    };
  if (asked === 'pointless')
    return {
      step: 'term_group',
      why: 'Its crash is confirmed; there is nobody to ask.',
      wouldChange: 'Its end.',
    };
  if (asked === 'halted')
    return { step: 'term_group', why: 'The legion is halted; nobody is asked.', wouldChange: 'Its end.' };
  const isWorking = facts.answer === 'still_working';
  const grace = isWorking ? limits.stopWorking : limits.stopGrace;
  const said = isWorking
    ? 'says it is still working'
    : facts.answer === 'agreed'
      ? 'agreed'
      : 'has not answered';
  return onceDue(
    asked.at + grace,
    now,
    'term_group',
    `It was asked ${inWords(now - asked.at)} ago and ${said}.`,
  );
}

function onceDue(due: number, now: number, step: 'term_group' | 'kill_group', why: string): Rung {
  if (now >= due) return { step, why, wouldChange: 'Its end, looked for right after.' };
  return {
    step: 'wait',
    why,
    wouldChange: `Its end; otherwise a signal follows in ${inWords(due - now)}.`,
    at: due,
  };
}

/** Output is read for a moment longer, but its end is never waited for: a grandchild may hold the pipe open for hours. */
function afterItsEnd(
  { process, output, group, termAt, killAt, orderedAt }: StopFacts,
  now: number,
  limits: HealthLimits,
): Rung {
  const isDated = process !== 'unavailable' && process.state === 'gone' && process.exit !== 'unknown';
  const endedAt = isDated ? process.since : (killAt ?? termAt ?? orderedAt);
  const until = endedAt + limits.drain;
  const isDraining = now < until && until - now <= limits.drain;
  if (output === 'open' && isDraining)
    return {
      step: 'drain',
      why: 'Its process is gone; its last words are read.',
      wouldChange: `The end of its output, or ${inWords(until - now)}.`,
      at: until,
    };
  // Its children end a moment after it, and a list of processes may be a moment old.
  if (group === 'left' && isDraining)
    return {
      step: 'drain',
      why: 'Its process is gone; others of its group are left.',
      wouldChange: `Their end, or ${inWords(until - now)}.`,
      at: until,
    };
  if (group === 'left') return zombie('Its process is gone, but others of its group are left.');
  return { step: 'done', why: 'Its process is gone.', wouldChange: 'Nothing.' };
}

function unchecked(orderedAt: number, now: number, limits: HealthLimits): Rung {
  const why = 'Whether the process is ours cannot be checked, so it gets no signal.';
  const until = orderedAt + limits.stopUnchecked;
  if (now >= until) return zombie(why);
  return {
    step: 'wait',
    why,
    wouldChange: 'A look at its pid and start time.',
    at: Math.min(until, now + limits.afterStep),
  };
}

function zombie(why: string): Rung {
  return {
    step: 'record_zombie',
    why,
    wouldChange: 'Its end, or the cleanup, which reaps it by pid and start time, never by name.',
  };
}
