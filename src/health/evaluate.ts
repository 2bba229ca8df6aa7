/** The third step: a probe ran, time has passed, and now the evidence confirms the suspicion or leaves it open. */
import { joinedEvidence } from './joined-evidence.ts';
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
