/** Every kill keeps its evidence and is judged later: what the killed attempt still did shows whether it was right. */
import type { Explanation } from '../../health/judgement.ts';
import { type HealthLimits, healthLimits } from '../../health/limits.ts';
import { inWords } from '../../health/words.ts';

export interface KillRecord {
  readonly worker: string;
  readonly attempt: number;
  readonly flaggedAt: number;
  readonly killedAt: number;
  readonly evidence: readonly string[];
}

/** What was found of the killed attempt after its kill; each is the time it was written, not the time it was found. */
export interface AfterKill {
  readonly reportAt: Found;
  readonly changeAt: Found;
  readonly agentEventAt: Found;
}

type Found = number | 'none' | 'unavailable';

export interface KillVerdict extends Explanation {
  readonly verdict: 'right' | 'wrong' | 'open';
}

export function judgeKill(
  kill: KillRecord,
  after: AfterKill,
  now: number,
  given: Partial<HealthLimits>,
): KillVerdict {
  const limits = healthLimits(given);
  const found = SOURCES.map((source) => `${source.name}=${after[source.key]}`);
  const evidence = [...kill.evidence, ...found];
  const alive = SOURCES.find(({ key, proves }) => proves(after[key], kill));
  if (alive !== undefined) {
    return {
      verdict: 'wrong',
      why: `The killed attempt left ${alive.words}: it was alive.`,
      evidence,
      wouldChange: 'Nothing: it is counted as a wrong kill.',
      until: 'nothing_more',
    };
  }
  const waited = now - kill.killedAt;
  const unread = SOURCES.filter(({ key }) => after[key] === 'unavailable').map(({ name }) => name);
  if (waited >= limits.killJudged) {
    const but = unread.length === 0 ? '' : ` Its ${unread.join(', ')} could not be read.`;
    return {
      verdict: 'right',
      why: `For ${inWords(waited)} nothing of the killed attempt has shown that it was alive.${but}`,
      evidence,
      wouldChange: 'Nothing: it is counted as a right kill.',
      until: 'event',
    };
  }
  const left = limits.killJudged - waited;
  return {
    verdict: 'open',
    why: `The kill is ${inWords(waited)} old.`,
    evidence,
    wouldChange: 'A late report, change or agent event makes it wrong; their absence makes it right.',
    until: 'time',
    lookAgainAt: now + (left > 0 ? left : limits.heartbeat),
  };
}

/** A report proves life whenever it was written; a change or an event only if it came after the flag. */
const SOURCES = [
  { key: 'reportAt', name: 'report', words: 'a report', proves: (at: Found) => typeof at === 'number' },
  { key: 'changeAt', name: 'change', words: 'a change of its workspace after the flag', proves: isAfterFlag },
  { key: 'agentEventAt', name: 'agent_event', words: 'an agent event after the flag', proves: isAfterFlag },
] as const;

function isAfterFlag(at: Found, { flaggedAt }: KillRecord): boolean {
  return typeof at === 'number' && at > flaggedAt;
}
