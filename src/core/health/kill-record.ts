/** Judges each kill after a while: any activity of the killed attempt shows that the kill was wrong. */

import { describeDuration } from '../model/format.ts';
import type { KillRecord, TracesAfterKill, TraceTime } from '../model/lifecycle.ts';
import type { HealthExplanation } from './explanation.ts';
import { type HealthLimits, resolveHealthLimits } from './limits.ts';

export interface KillVerdict extends HealthExplanation {
  readonly verdict: 'right' | 'wrong' | 'open';
}

export function judgeKill(
  kill: KillRecord,
  after: TracesAfterKill,
  now: number,
  overrides: Partial<HealthLimits>,
): KillVerdict {
  const limits = resolveHealthLimits(overrides);
  const traces = TRACE_SOURCES.map((source) => `${source.name}=${after[source.key]}`);
  const evidence = [...kill.evidence, ...traces];
  const alive = TRACE_SOURCES.find(({ key, proves }) => proves(after[key], kill));
  if (alive !== undefined) {
    return {
      verdict: 'wrong',
      why: `The killed attempt left ${alive.words}, so it was alive.`,
      evidence,
      wouldChange: 'Nothing: it is counted as a wrong kill.',
      until: 'nothing_more',
    };
  }
  const waited = now - kill.killedAt;
  const unread = TRACE_SOURCES.filter(({ key }) => after[key] === 'unavailable').map(({ name }) => name);
  if (waited >= limits.killJudged) {
    const but = unread.length === 0 ? '' : ` Its ${unread.join(', ')} could not be read.`;
    return {
      verdict: 'right',
      why: `Nothing has shown in ${describeDuration(waited)} that the killed attempt was alive.${but}`,
      evidence,
      wouldChange: 'Nothing: it is counted as a correct kill.',
      until: 'event',
    };
  }
  const left = limits.killJudged - waited;
  return {
    verdict: 'open',
    why: `The kill is ${describeDuration(waited)} old.`,
    evidence,
    wouldChange:
      'The kill was wrong if a late report, change or agent event arrives; otherwise it was correct.',
    until: 'time',
    lookAgainAt: now + (left > 0 ? left : limits.heartbeat),
  };
}

/**
 * A report always proves that the attempt was alive. A workspace change or an agent event proves it
 * only if it is newer than the flag.
 */
const TRACE_SOURCES = [
  { key: 'reportAt', name: 'report', words: 'a report', proves: (at: TraceTime) => typeof at === 'number' },
  { key: 'changeAt', name: 'change', words: 'a workspace change after the flag', proves: isAfterFlag },
  { key: 'agentEventAt', name: 'agent_event', words: 'an agent event after the flag', proves: isAfterFlag },
] as const;

function isAfterFlag(at: TraceTime, { flaggedAt }: KillRecord): boolean {
  return typeof at === 'number' && at > flaggedAt;
}
