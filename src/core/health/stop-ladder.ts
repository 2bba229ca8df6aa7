/**
 * Stops a worker in steps: a request, a wait, SIGTERM to its process group, SIGKILL, and a short
 * time to read remaining output. Never signals a process that may not be ours.
 */

import { describeDuration } from '../model/format.ts';
import { judgePresence } from './condition.ts';
import type { ProcessEvidence } from './evidence.ts';
import type { HealthExplanation } from './explanation.ts';
import { type HealthLimits, resolveHealthLimits } from './limits.ts';

export interface StopFacts {
  /** Read again before every step: the pid may belong to another process by now. */
  readonly process: ProcessEvidence;
  readonly orderedAt: number;
  /**
   * Whether and when the worker was asked to stop. `pointless`: it is not asked, because its crash
   * is confirmed and it was already probed. `halted`: it is not asked, because a halt allows no
   * grace period.
   */
  readonly asked: 'not_yet' | 'pointless' | 'halted' | { readonly at: number };
  /** How often the worker has said that it is still working. */
  readonly extensions: number;
  readonly termAt?: number;
  readonly killAt?: number;
  /** Whether the worker's output has been read to the end. */
  readonly output: 'closed' | 'open';
  /** Whether other processes of the worker's group remain. */
  readonly group: 'none' | 'left' | 'unavailable';
}

export interface StopStep extends HealthExplanation {
  readonly step: 'ask' | 'wait' | 'term_group' | 'kill_group' | 'drain' | 'record_zombie' | 'done';
}

/** Set by the contract: with more extensions, a worker that never ends could block its issue. */
export const MAX_STOP_EXTENSIONS = 2;

/** Returns when a worker that was asked to stop gets its first signal. */
export function computeGraceEnd(
  askedAt: number,
  extensions: number,
  { stopGrace, stopWorking }: Pick<HealthLimits, 'stopGrace' | 'stopWorking'>,
): number {
  return askedAt + stopGrace + Math.min(extensions, MAX_STOP_EXTENSIONS) * stopWorking;
}

export function decideStopStep(facts: StopFacts, now: number, overrides: Partial<HealthLimits>): StopStep {
  const limits = resolveHealthLimits(overrides);
  const { step, why, wouldChange, at } = chooseStopRung(facts, now, limits);
  const evidence = [
    `process=${judgePresence(facts.process)}`,
    `asked=${typeof facts.asked === 'object' ? `${describeDuration(now - facts.asked.at)} ago` : facts.asked}`,
    `extensions=${facts.extensions}`,
    `term=${facts.termAt === undefined ? 'no' : `${describeDuration(now - facts.termAt)} ago`}`,
    `kill=${facts.killAt === undefined ? 'no' : `${describeDuration(now - facts.killAt)} ago`}`,
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

interface StopRung {
  readonly step: StopStep['step'];
  readonly why: string;
  readonly wouldChange: string;
  readonly at?: number;
}

function chooseStopRung(facts: StopFacts, now: number, limits: HealthLimits): StopRung {
  const { orderedAt, asked, termAt, killAt } = facts;
  const times = [orderedAt, typeof asked === 'object' ? asked.at : 0, termAt ?? 0, killAt ?? 0];
  if (!Number.isFinite(now) || !times.every((time) => Number.isFinite(time) && time >= 0))
    return createZombieRung('A recorded time is not valid, so no signal is sent.');
  const presence = judgePresence(facts.process);
  if (presence === 'no') return chooseRungAfterExit(facts, now, limits);
  if (presence === 'unavailable') return createUncheckedRung(orderedAt, now, limits);
  if (killAt !== undefined) {
    const until = killAt + limits.drain;
    if (now >= until)
      return createZombieRung(`It is still running ${describeDuration(now - killAt)} after SIGKILL.`);
    return {
      step: 'drain',
      why: 'It was sent SIGKILL.',
      wouldChange: `It exits, or the drain ends in ${describeDuration(until - now)}.`,
      at: until,
    };
  }
  if (termAt !== undefined) {
    const why = `It was sent SIGTERM ${describeDuration(now - termAt)} ago and is still running.`;
    return createSignalRung(termAt + limits.termToKill, now, 'kill_group', why);
  }
  if (asked === 'not_yet')
    return {
      step: 'ask',
      why: 'A worker is asked to stop before it gets a signal.',
      wouldChange: 'It answers or exits.',
    };
  if (asked === 'pointless')
    return {
      step: 'term_group',
      why: 'Its crash is confirmed, so it is not asked first.',
      wouldChange: 'Its exit.',
    };
  if (asked === 'halted')
    return {
      step: 'term_group',
      why: 'The legion is halted, so it is not asked first.',
      wouldChange: 'Its exit.',
    };
  const response =
    facts.extensions === 0
      ? 'has not asked for more time'
      : `has asked for more time (${facts.extensions} of at most ${MAX_STOP_EXTENSIONS})`;
  return createSignalRung(
    computeGraceEnd(asked.at, facts.extensions, limits),
    now,
    'term_group',
    `It was asked ${describeDuration(now - asked.at)} ago and ${response}.`,
  );
}

function createSignalRung(
  due: number,
  now: number,
  step: 'term_group' | 'kill_group',
  why: string,
): StopRung {
  if (now >= due) return { step, why, wouldChange: 'It exits, which is checked right afterwards.' };
  return {
    step: 'wait',
    why,
    wouldChange: `It should exit by itself; if it does not, it gets a signal in ${describeDuration(due - now)}.`,
    at: due,
  };
}

/**
 * Reads output a moment longer, but never waits for its end: a grandchild may hold the pipe open
 * for hours.
 */
function chooseRungAfterExit(
  { process, output, group, termAt, killAt, orderedAt }: StopFacts,
  now: number,
  limits: HealthLimits,
): StopRung {
  const isDated = process !== 'unavailable' && process.state === 'gone' && process.exit !== 'unknown';
  const endedAt = isDated ? process.since : (killAt ?? termAt ?? orderedAt);
  const until = endedAt + limits.drain;
  const isDraining = now < until && until - now <= limits.drain;
  if (output === 'open' && isDraining)
    return {
      step: 'drain',
      why: 'Its process is gone; its remaining output is being read.',
      wouldChange: `Its output ends, or the drain ends in ${describeDuration(until - now)}.`,
      at: until,
    };
  // Remaining processes may exit soon or may already be gone: children exit a moment after the
  // worker, and a process list may be slightly stale.
  if (group === 'left' && isDraining)
    return {
      step: 'drain',
      why: 'Its process is gone; other processes of its group remain.',
      wouldChange: `They exit, or the drain ends in ${describeDuration(until - now)}.`,
      at: until,
    };
  if (group === 'left')
    return createZombieRung('Its process is gone, but other processes of its group remain.');
  return { step: 'done', why: 'Its process is gone.', wouldChange: 'Nothing.' };
}

function createUncheckedRung(orderedAt: number, now: number, limits: HealthLimits): StopRung {
  const why = 'The process cannot be identified as this worker, so no signal is sent.';
  const until = orderedAt + limits.stopUnchecked;
  if (now >= until) return createZombieRung(why);
  return {
    step: 'wait',
    why,
    wouldChange: 'Its pid and start time can be read.',
    at: Math.min(until, now + limits.afterStep),
  };
}

function createZombieRung(why: string): StopRung {
  return {
    step: 'record_zombie',
    why,
    wouldChange: 'It exits, or the cleanup reaps it by pid and start time, never by name.',
  };
}
