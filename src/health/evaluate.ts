/** The third step: a probe ran, time has passed, and now the evidence confirms the suspicion or leaves it open. */
import { anyTimeAhead } from './clock.ts';
import { presenceOf } from './condition.ts';
import type { Finding, Look } from './judgement.ts';
import { tellPerson } from './person.ts';
import type { Suspect } from './suspect.ts';
import { inWords } from './words.ts';

export function evaluate(
  look: Look,
  suspect: Suspect,
  probe: { readonly at: number; readonly how: 'ask' | 'examine' },
): Finding {
  const { evidence, now } = look;
  // A machine that slept gave nobody time to answer: silence counts from when somebody could have spoken and been heard.
  const since = Math.max(probe.at, evidence.watchingSince, suspect.since);
  const patience = probe.how === 'ask' ? suspect.patience.asked : suspect.patience.examined;
  const waited = now - since;
  if (!(waited >= patience)) {
    return {
      verdict: 'suspicious',
      next: 'leave_alone',
      why: `${suspect.because}; it was probed ${inWords(now - probe.at)} ago and has not stirred.`,
      wouldChange: `Any sign of life clears the flag; without one it is judged in ${inWords(since + patience - now)}.`,
      until: 'time',
      lookAgainAt: since + patience,
    };
  }
  const { grounds, missing } = joinedEvidence(look);
  const { conclusion } = suspect;
  if ('lacks' in conclusion) return undecided(look, suspect, [...missing, conclusion.lacks]);
  if (missing.length > 0) return undecided(look, suspect, missing);
  const finding: Finding = {
    verdict: conclusion.verdict,
    next: conclusion.next,
    why: `${suspect.because}; it was probed and in ${inWords(waited)} nothing stirred (${grounds.join(', ')} agree).`,
    wouldChange: conclusion.wouldChange,
    until: conclusion.next === 'report_corruption' ? 'person' : 'event',
    grounds,
  };
  return conclusion.next === 'report_corruption'
    ? tellPerson(look, { ...finding, next: conclusion.next })
    : finding;
}

/** Unknown is not dead: it is looked at again, and a flag nobody could resolve goes to a person. */
export function undecided(look: Look, suspect: Suspect, missing: readonly string[], notBefore = 0): Finding {
  const { evidence, now, limits } = look;
  const { suspicion } = evidence;
  const finding: Finding = {
    verdict: 'unknown',
    next: 'leave_alone',
    why: `${suspect.because}, but unknown is not dead: still needed is ${missing.join(', ')}.`,
    wouldChange: `Any sign of life clears the flag, and ${missing.join(', ')} would settle it.`,
    until: 'time',
    lookAgainAt: Math.max(notBefore, now + (notBefore > now ? 0 : limits.heartbeat)),
  };
  if (!suspicion.flagged || now - suspicion.since < limits.unresolved) return finding;
  return tellPerson(look, { ...finding, next: 'ask_person', until: 'person' });
}

interface Joined {
  /** The sources that speak for it. */
  readonly grounds: readonly string[];
  /** What is missing before anything may follow from them; empty when they suffice. */
  readonly missing: readonly string[];
}

/** Two witnesses are the least that can contradict each other. */
const GROUNDS_NEEDED = 2;

/** Checks that independent, readable sources agree that an attempt is dead: a single source is never enough. */
function joinedEvidence(look: Look): Joined {
  const { evidence } = look;
  const process = presenceOf(evidence.process);
  const missing: string[] = [];
  if (anyTimeAhead(look)) missing.push('the clock to pass every time in the evidence');
  if (process === 'unavailable') missing.push('a look at its process');
  if (evidence.report === 'unavailable') missing.push('a look for its report');
  if (evidence.workspace === 'unavailable') missing.push('a look at its workspace');

  const grounds = process === 'yes' ? stillness(look, missing) : absence(look);
  if (grounds.length < GROUNDS_NEEDED) missing.push('a second independent source');
  return { grounds, missing };
}

/** Of a process that is gone, only what it left behind can speak. */
function absence({ evidence }: Look): string[] {
  const grounds: string[] = [];
  if (presenceOf(evidence.process) === 'no') grounds.push('process');
  if (evidence.report === 'none') grounds.push('report');
  if (evidence.workspace === 'no') grounds.push('workspace');
  return grounds;
}

/** A living process may only be ended when its CPU is known to stand still, and something besides it does too. */
function stillness({ evidence, limits }: Look, missing: string[]): string[] {
  const { suspicion, cpu, sessionFile, output, workspace } = evidence;
  if (workspace === 'no') return ['workspace', 'process'];
  if (!suspicion.flagged) return [];
  const grounds: string[] = [];
  const used =
    cpu === 'unavailable' || suspicion.cpuMs === 'unavailable' ? Number.NaN : cpu.usedMs - suspicion.cpuMs;
  if (used >= 0 && used < limits.cpuSign) grounds.push('cpu');
  else missing.push('its CPU time since the flag');

  const { since } = suspicion;
  if (sessionFile === 'missing' || (typeof sessionFile === 'object' && sessionFile.at <= since))
    grounds.push('session_file');
  if (output === 'empty') grounds.push('output');
  return grounds;
}
