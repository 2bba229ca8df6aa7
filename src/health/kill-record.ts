/** Every kill keeps its evidence and is judged later: what the killed attempt still did shows whether it was right. */
import type { Explanation } from './judgement.ts';
import { type HealthLimits, healthLimits } from './limits.ts';
import { inWords } from './words.ts';

export interface KillRecord {
  readonly worker: string;
  readonly attempt: number;
  readonly flaggedAt: number;
  readonly killedAt: number;
  readonly grounds: readonly string[];
  readonly evidence: readonly string[];
}

/** What was found of the killed attempt after its kill; each is the time it was written, not the time it was found. */
export interface AfterKill {
  readonly reportAt: Found;
  readonly commitAt: Found;
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
  const evidence = [...kill.evidence, `grounds=${kill.grounds.join(',')}`, ...found];
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
  if (waited >= limits.killJudged && unread.length === 0) {
    return {
      verdict: 'right',
      why: `For ${inWords(waited)} nothing of the killed attempt has shown that it was alive.`,
      evidence,
      wouldChange: 'A report, commit or agent event of it that turns up still later.',
      until: 'event',
    };
  }
  const left = limits.killJudged - waited;
  return {
    verdict: 'open',
    why:
      unread.length > 0
        ? `Its ${unread.join(', ')} could not be read.`
        : `The kill is ${inWords(waited)} old.`,
    evidence,
    wouldChange: 'A late report, commit or agent event makes it wrong; their absence makes it right.',
    until: 'time',
    lookAgainAt: now + (left > 0 ? left : limits.heartbeat),
  };
}

export interface KillRates {
  readonly kills: number;
  readonly right: number;
  readonly wrong: number;
  readonly open: number;
  /** Shares of the judged ones; undefined before the first. */
  readonly rightRate: number | undefined;
  readonly wrongRate: number | undefined;
}

export function killRates(verdicts: readonly KillVerdict['verdict'][]): KillRates {
  const count = (wanted: KillVerdict['verdict']) => verdicts.filter((verdict) => verdict === wanted).length;
  const right = count('right');
  const wrong = count('wrong');
  const judged = right + wrong;
  const rate = (part: number) => (judged === 0 ? undefined : part / judged);
  return {
    kills: verdicts.length,
    right,
    wrong,
    open: count('open'),
    rightRate: rate(right),
    wrongRate: rate(wrong),
  };
}

/** A report proves life whenever it was written; a commit or an event only if it came after the flag. */
const SOURCES = [
  { key: 'reportAt', name: 'report', words: 'a report', proves: (at: Found) => typeof at === 'number' },
  { key: 'commitAt', name: 'commit', words: 'a commit made after the flag', proves: isAfterFlag },
  { key: 'agentEventAt', name: 'agent_event', words: 'an agent event after the flag', proves: isAfterFlag },
] as const;

function isAfterFlag(at: Found, { flaggedAt }: KillRecord): boolean {
  return typeof at === 'number' && at > flaggedAt;
}
