/** Flag, probe, evaluate: never fewer than three steps lie between a first suspicion and the end of anything living. */
import { presenceOf } from './condition.ts';
import { evaluate, undecided } from './evaluate.ts';
import type { Finding, Look } from './judgement.ts';
import { tellPerson } from './person.ts';
import type { Suspect } from './suspect.ts';
import { inWords } from './words.ts';

export function threeSteps(look: Look, suspect: Suspect): Finding {
  const { suspicion, phase } = look.evidence;
  if (!suspicion.flagged) return step(look, 'flag', `${suspect.because}, which is suspicious.`);
  if (suspicion.phase !== phase)
    return step(look, 'clear', `It was flagged in another phase, ${suspicion.phase}; it is now in ${phase}.`);
  if (suspect.signsClear) {
    const { agent, body } = signsOfLife(look);
    if (agent.length > 0) return step(look, 'clear', `Since it was flagged there was ${agent.join(', ')}.`);
    if (body.length > 0) return bodyOnly(look, suspect, body.join(', '));
  }
  const { probe } = suspicion;
  switch (probe.state) {
    case 'not_sent':
      return firstProbe(look, suspect);
    case 'failed':
      return afterFailedProbe(look, suspect, probe);
    case 'sent':
      return lacksComparison(look)
        ? step(
            look,
            'examine',
            `${suspect.because}; its CPU time can be read now and has to be compared later.`,
          )
        : evaluate(look, suspect, probe);
    case 'answered':
      // Its answer has cleared the flag above, unless answers do not matter here or this one is older than the flag.
      return suspect.signsClear
        ? firstProbe(look, suspect)
        : evaluate(look, suspect, { ...probe, how: 'ask' });
  }
}

/** An idle session takes a question as a turn; a busy one would lose it, so it is only looked at. */
function firstProbe(look: Look, suspect: Suspect): Finding {
  if (suspect.probe === 'examine') return step(look, 'examine', `${suspect.because}.`);
  const { questionsAsked } = look.evidence;
  if (questionsAsked < look.limits.questions) return step(look, 'probe_ask', `${suspect.because}.`);
  return tellPerson(look, {
    verdict: 'suspicious',
    next: 'ask_person',
    why: `${suspect.because}, and it has been asked ${questionsAsked} times without any progress.`,
    wouldChange: 'A report, a question, or anything else it does; or a person who prompts or stops it.',
    until: 'person',
  });
}

/** A question that could not be delivered is followed by a look; a look that could not be taken, by another, later. */
function afterFailedProbe(
  look: Look,
  suspect: Suspect,
  probe: { readonly at: number; readonly how: 'ask' | 'examine' },
): Finding {
  const { now, limits } = look;
  const wait = probe.how === 'ask' ? 0 : limits.probeRetry;
  if (now - probe.at >= wait)
    return step(look, 'examine', `${suspect.because}; the last probe failed to run, which proves nothing.`);
  return undecided(look, suspect, ['a probe that runs'], probe.at + wait);
}

/** CPU or children move while the agent is silent: alive, but after the hard limit a person should know. */
function bodyOnly(look: Look, suspect: Suspect, signs: string): Finding {
  const silent = look.now - suspect.agentSince;
  if (silent < suspect.hard) return step(look, 'clear', `Since it was flagged there was ${signs}.`);
  return tellPerson(look, {
    verdict: 'suspicious',
    next: 'ask_person',
    why: `The agent has been silent for ${inWords(silent)} although there was ${signs}, so it is not ended.`,
    wouldChange: 'An event of the agent clears the flag; a person may stop it.',
    until: 'person',
  });
}

/** The CPU time could not be read when it was flagged; a new probe takes it down. */
function lacksComparison({ evidence: { suspicion, cpu, process } }: Look): boolean {
  return (
    suspicion.flagged &&
    suspicion.cpuMs === 'unavailable' &&
    cpu !== 'unavailable' &&
    presenceOf(process) === 'yes'
  );
}

const STEPS = {
  flag: ['suspicious', 'Any sign of life clears it; otherwise it is probed next.'],
  probe_ask: ['suspicious', 'Its answer, or any sign of life, clears the flag.'],
  examine: ['suspicious', 'Any movement of CPU, children, tool or session file clears the flag.'],
  clear: ['healthy', 'Renewed silence beyond the limit raises a new flag.'],
} as const;

function step({ evidence, now, limits }: Look, next: keyof typeof STEPS, why: string): Finding {
  const [usual, wouldChange] = STEPS[next];
  // Whoever stirred after its process was seen gone is not dead, and not well either.
  const verdict = next === 'clear' && presenceOf(evidence.process) === 'no' ? 'unknown' : usual;
  return { verdict, next, why, wouldChange, until: 'event', lookAgainAt: now + limits.afterStep };
}

interface SignsOfLife {
  /** The agent itself moved: these clear a flag. */
  readonly agent: readonly string[];
  /** Its process moved: these clear a flag too, but not for ever, for a spinner turns on a dead session as well. */
  readonly body: readonly string[];
}

const NOTHING: SignsOfLife = { agent: [], body: [] };

/** What an attempt has done since it was flagged. */
function signsOfLife({ evidence, limits }: Look): SignsOfLife {
  const { suspicion, agent, sessionFile, checkpoint, tool, cpu, children } = evidence;
  if (!suspicion.flagged) return NOTHING;
  const { since, probe, cpuMs } = suspicion;
  const found = { agent: [] as string[], body: [] as string[] };

  if (agent !== 'unavailable' && agent.kind !== 'none' && agent.at > since)
    found.agent.push('an agent event');
  if (typeof sessionFile === 'object' && sessionFile.at > since)
    found.agent.push('a write to its session file');
  if (typeof checkpoint === 'object' && checkpoint.at > since) found.agent.push('a checkpoint');
  if (typeof tool === 'object' && tool.since > since) found.agent.push('a tool it started');
  if (probe.state === 'answered' && probe.at > since) found.agent.push('an answer to our question');

  if (cpu !== 'unavailable' && cpuMs !== 'unavailable' && cpu.usedMs - cpuMs >= limits.cpuSign)
    found.body.push('CPU time it used');
  if (children !== 'unavailable' && children.newestAt !== 'none' && children.newestAt > since)
    found.body.push('a process it started');
  return found;
}
