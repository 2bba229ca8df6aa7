/** The one door of this room: what the evidence about an attempt means now, why, and what follows. */

import { waits } from '../core/health/waits.ts';
import { hasEnded } from '../domain/lifecycle.ts';
import { calm } from './calm.ts';
import { clockTrouble, isTime } from './clock.ts';
import { conditionOf, presenceOf } from './condition.ts';
import type { HealthEvidence } from './evidence.ts';
import type { Finding, Judgement, Look } from './judgement.ts';
import { type HealthLimits, healthLimits } from './limits.ts';
import { localFacts } from './local-facts.ts';
import { lostMessage } from './lost-message.ts';
import { tellPerson } from './person.ts';
import { silenceOf } from './silence.ts';
import { suspectOf } from './suspect.ts';
import { threeSteps } from './three-steps.ts';
import { described, exitInWords, inWords } from './words.ts';

export function judge(evidence: HealthEvidence, now: number, limits: Partial<HealthLimits>): Judgement {
  const look: Look = { evidence, now, limits: healthLimits(limits) };
  const { lookAgainAt, grounds = [], ...finding } = findingOf(look);
  const judgement = { ...finding, grounds, state: conditionOf(evidence), evidence: described(evidence, now) };
  const again = againAt(look, finding.until, lookAgainAt);
  return again === undefined ? judgement : { ...judgement, lookAgainAt: again };
}

/** First match wins. What can only help (a report taken in, a wait ended) comes before what needs a clock to be trusted. */
function findingOf(look: Look): Finding {
  return (
    ended(look) ??
    timeless(look) ??
    lostMessage(look) ??
    waits(look) ??
    untrusted(look) ??
    tooSoon(look) ??
    watched(look)
  );
}

function watched(look: Look): Finding {
  const { evidence, now } = look;
  const silence = silenceOf(look);
  const { sessionFile } = evidence;
  const session =
    typeof sessionFile !== 'object' ? sessionFile : now - sessionFile.at < silence.limit ? 'fresh' : 'stale';
  const local = localFacts(evidence.workspace, presenceOf(evidence.process), session);
  const suspect = suspectOf(look, silence, local);
  return suspect === undefined ? calm(look, silence) : threeSteps(look, suspect);
}

function timeless({ now }: Look): Finding | undefined {
  if (isTime(now)) return undefined;
  return {
    verdict: 'unknown',
    next: 'leave_alone',
    why: `The clock says ${now}; without a time nothing can be judged.`,
    wouldChange: 'A clock that can be read.',
    until: 'event',
  };
}

function untrusted(look: Look): Finding | undefined {
  const trouble = clockTrouble(look);
  return trouble?.next === 'report_corruption'
    ? tellPerson(look, { ...trouble, next: trouble.next })
    : trouble;
}

function tooSoon({ evidence, now, limits }: Look): Finding | undefined {
  const watched = now - evidence.watchingSince;
  if (watched >= limits.grace) return undefined;
  return {
    verdict: 'unknown',
    next: 'leave_alone',
    why: `${goneClause(evidence)}The daemon itself began to watch only ${inWords(watched)} ago; no verdict so soon.`,
    wouldChange: `In ${inWords(limits.grace - watched)} the attempt is judged as usual.`,
    until: 'time',
    lookAgainAt: evidence.watchingSince + limits.grace,
  };
}

function goneClause({ process }: HealthEvidence): string {
  if (process === 'unavailable' || process.state !== 'gone') return '';
  return `Its process ${exitInWords(process.exit)}. `;
}

/** Never in a busy loop, and at least once a day, whatever a strange time in the evidence may suggest. */
function againAt(
  { now, limits }: Look,
  until: Finding['until'],
  wanted: number | undefined,
): number | undefined {
  if (until === 'nothing_more' || !isTime(now)) return undefined;
  const at = wanted !== undefined && Number.isFinite(wanted) ? wanted : now + limits.heartbeat;
  return Math.min(Math.max(at, now + limits.afterStep), now + limits.remind);
}

/** An attempt that has ended is left alone; a process it left behind is a zombie for the cleanup, not for health. */
function ended({ evidence, now, limits }: Look): Finding | undefined {
  const { state, stateSince } = evidence;
  if (!hasEnded(state)) return undefined;
  const process = presenceOf(evidence.process);
  if (process === 'yes' && isTime(now) && stateSince <= now && now - stateSince < limits.stopGrace) {
    return {
      verdict: 'ended',
      next: 'leave_alone',
      why: `The attempt is ${state} since ${inWords(now - stateSince)}; its process is leaving.`,
      wouldChange: `A process that is still there in ${inWords(stateSince + limits.stopGrace - now)} is a zombie.`,
      until: 'time',
      lookAgainAt: stateSince + limits.stopGrace,
    };
  }
  if (process === 'yes') {
    return {
      verdict: 'zombie',
      next: 'reap_at_cleanup',
      why: `The attempt is ${state} and its process is still there.`,
      wouldChange:
        'The end of the process, or the cleanup of its issue, which reaps it by pid and start time.',
      until: 'event',
    };
  }
  if (state === 'paused') {
    return {
      verdict: 'ended',
      next: 'leave_alone',
      why: 'The attempt is paused: it crashed more often than is allowed.',
      wouldChange: 'A person who resets the crash count lets a new attempt begin.',
      until: 'person',
    };
  }
  return {
    verdict: 'ended',
    next: 'leave_alone',
    why: `The attempt is ${state}${process === 'no' ? '' : '; whether its process is still there could not be read'}.`,
    wouldChange: 'Nothing: a new attempt has a health of its own.',
    until: 'nothing_more',
  };
}
