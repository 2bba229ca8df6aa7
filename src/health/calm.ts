/** What there is to say about an attempt nobody has reason to suspect. */
import { presenceOf } from './condition.ts';
import type { Finding, Look } from './judgement.ts';
import type { Silence } from './silence.ts';
import { inWords } from './words.ts';

export function calm(look: Look, silence: Silence): Finding {
  const { evidence, now, limits } = look;
  const silent = now - silence.since;
  const left = silence.limit - silent;
  const rest = {
    wouldChange: `Silence for another ${inWords(left)} would make it suspicious.`,
    until: 'time',
    // A wake-up may be lost, so even the healthy are looked at with every heartbeat.
    lookAgainAt: now + Math.min(left, limits.heartbeat),
  } as const;
  if (evidence.suspicion.flagged) {
    return {
      verdict: 'healthy',
      next: 'clear',
      why: `It was flagged, and now it is seen to be within its limit: it ${DOING[silence.condition]}.`,
      ...rest,
      lookAgainAt: now + limits.afterStep,
    };
  }
  if (silence.condition === 'not_started') {
    const why = `Its start began ${inWords(silent)} ago and may take ${inWords(limits.notStarted)}.`;
    return { verdict: 'starting', next: 'leave_alone', why, ...rest };
  }
  if (silence.condition === 'gone') {
    const why = `Its process is gone, yet something of it stirred until ${inWords(silent)} ago; unknown is not dead.`;
    return { verdict: 'unknown', next: 'leave_alone', why, ...rest };
  }
  if (isBlind(look)) {
    const why = 'Neither its process, its events nor its session file can be read; unknown is not dead.';
    return { verdict: 'unknown', next: 'leave_alone', why, ...rest };
  }
  const why = `It was last heard of ${inWords(silent)} ago and ${DOING[silence.condition]}.`;
  return { verdict: 'healthy', next: 'leave_alone', why, ...rest };
}

const DOING = {
  not_started: 'is starting',
  thinking: 'is thinking',
  in_tool: 'is in a tool',
  idle: 'is idle',
  unclear: 'may be thinking or in a tool',
  gone: 'has lost its process',
  reporting: 'is reporting',
  waiting_user: 'waits for a person',
  waiting_quota: 'waits for quota',
  ended: 'has ended',
} as const;

function isBlind({ evidence: { process, agent, sessionFile } }: Look): boolean {
  return presenceOf(process) === 'unavailable' && agent === 'unavailable' && sessionFile === 'unavailable';
}
