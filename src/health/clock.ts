/** Whether the numbers in the evidence can be trusted: a clock that jumped must never look like a death. */
import type { HealthEvidence } from './evidence.ts';
import type { Finding, Look } from './judgement.ts';
import { inWords } from './words.ts';

type Named = readonly [name: string, value: number];

/** A finding when a number cannot be used at all; undefined when all make sense, or nearly. */
export function clockTrouble({ evidence, now, limits }: Look): Finding | undefined {
  const times = timesOf(evidence);
  const wrong = amountsOf(evidence).find(isNoAmount) ?? times.find(isNoAmount);
  if (wrong !== undefined) return unreadable(wrong);
  let furthest: Named | undefined;
  for (const time of times) {
    if (time[1] - now > limits.clockSkew && !(furthest && furthest[1] >= time[1])) furthest = time;
  }
  if (furthest === undefined) return undefined;
  // A time ahead by more than a day was never right; a smaller lead is a clock that was set back, and passes.
  return furthest[1] - now > limits.remind ? unreadable(furthest) : ahead(furthest, now, limits.heartbeat);
}

/** True when any time lies ahead of now, be it by a millisecond: then nothing living may be ended. */
export function anyTimeAhead({ evidence, now }: Look): boolean {
  return timesOf(evidence).some(([, time]) => !(time <= now));
}

function isNoAmount([, value]: Named): boolean {
  return !Number.isFinite(value) || value < 0;
}

function unreadable([name, value]: Named): Finding {
  return {
    verdict: 'corrupt',
    next: 'report_corruption',
    why: `${name} is ${value}, which cannot be true.`,
    wouldChange: `A readable value would let the attempt be judged; until then a person is told and nothing is ended.`,
    until: 'person',
  };
}

function ahead([name, time]: Named, now: number, heartbeat: number): Finding {
  const lead = time - now;
  return {
    verdict: 'unknown',
    next: 'leave_alone',
    why: `${name} lies ${inWords(lead)} ahead of the clock, so the clock has jumped and no silence can be measured.`,
    wouldChange: `Once the clock has passed that time, in ${inWords(lead)}, the attempt is judged as usual.`,
    until: 'time',
    lookAgainAt: now + Math.min(lead, heartbeat),
  };
}

/** Everything that must lie in the past; the provider's reset time need not. */
function timesOf(evidence: HealthEvidence): Named[] {
  const { process, agent, tool, children, sessionFile, report, checkpoint, rateLimit } = evidence;
  const { suspicion, personToldAt } = evidence;
  const times: Named[] = [
    ['The time of its state', evidence.stateSince],
    ['The time of its dispatch', evidence.spawnedAt],
    ['The start of our watch', evidence.watchingSince],
  ];
  if (process !== 'unavailable' && process.state === 'gone')
    times.push(['The end of its process', process.since]);
  if (agent !== 'unavailable' && agent.kind !== 'none') times.push(['Its last agent event', agent.at]);
  if (typeof tool === 'object') times.push(['The start of its tool', tool.since]);
  if (children !== 'unavailable' && children.newestAt !== 'none')
    times.push(['The start of its newest child', children.newestAt]);
  if (typeof sessionFile === 'object') times.push(['The time of its session file', sessionFile.at]);
  if (typeof report === 'object') times.push(['The time of its report', report.since]);
  if (typeof checkpoint === 'object') times.push(['The time of its checkpoint', checkpoint.at]);
  if (typeof rateLimit === 'object') times.push(['The time of its rate limit', rateLimit.seenAt]);
  if (personToldAt !== 'never') times.push(['The time a person was told', personToldAt]);
  if (suspicion.flagged) {
    times.push(['The time of its flag', suspicion.since]);
    if (suspicion.probe.state !== 'not_sent') times.push(['The time of the probe', suspicion.probe.at]);
  } else if (suspicion.clearedAt !== undefined) {
    times.push(['The time a flag was cleared', suspicion.clearedAt]);
  }
  return times;
}

function amountsOf({ cpu, children, questionsAsked, suspicion }: HealthEvidence): Named[] {
  const amounts: Named[] = [['The number of questions asked', questionsAsked]];
  if (cpu !== 'unavailable') amounts.push(['Its CPU time', cpu.usedMs]);
  if (children !== 'unavailable') amounts.push(['The number of its children', children.count]);
  if (suspicion.flagged && suspicion.cpuMs !== 'unavailable')
    amounts.push(['Its CPU time at the flag', suspicion.cpuMs]);
  return amounts;
}

/** Beyond this a millisecond more makes no difference any longer. */
export function isTime(now: number): boolean {
  return Math.abs(now) <= Number.MAX_SAFE_INTEGER;
}
