/** Checks a judgement's guarantees against the raw evidence, without using the code under test. */
import type { HealthEvidence } from '../../../../src/core/health/evidence.ts';
import type { HealthJudgement } from '../../../../src/core/health/judgement.ts';
import { ENDING, MINUTE, SECOND } from './world.ts';

/** Returns every guarantee that this judgement violates, or an empty array if it violates none. */
export function broken(evidence: HealthEvidence, now: number, judgement: HealthJudgement): string[] {
  const found = unexplained(now, judgement);
  if (ENDING.has(judgement.next)) {
    found.push(...whyNobodyMayBeEnded(evidence, now));
    // A worker without a workspace is stopped even while it is alive. For all others, any sign of
    // life prevents a stop.
    if (judgement.next !== 'stop_and_report') found.push(...lifeSinceFlag(evidence));
    if (judgement.next === 'stop_and_report' && evidence.workspace !== 'no')
      found.push('stopped in its workspace');
    if (new Set(judgement.grounds).size < 2) found.push('ended on fewer than two grounds');
    for (const ground of judgement.grounds) {
      if (!isReadable(evidence, ground)) found.push(`ended on unreadable ${ground}`);
    }
  }
  return found;
}

function unexplained(
  now: number,
  { why, evidence, wouldChange, until, lookAgainAt }: HealthJudgement,
): string[] {
  const found: string[] = [];
  if (!isSentence(why)) found.push(`why is not a sentence: ${why}`);
  if (!isSentence(wouldChange)) found.push(`wouldChange is not a sentence: ${wouldChange}`);
  if (evidence.length === 0 || !evidence.every((fact) => fact.indexOf('=') > 0 && !fact.endsWith('=')))
    found.push('evidence is not name=value');
  if (until === 'time' && lookAgainAt === undefined) found.push('waits for a time that is not given');
  if (lookAgainAt !== undefined && !(lookAgainAt > now)) found.push('checks again at once, forever');
  return found;
}

/**
 * Compares individual characters instead of using a regular expression, because this runs millions
 * of times.
 */
function isSentence(text: string): boolean {
  const first = text.charCodeAt(0);
  return (
    first >= 65 &&
    first <= 90 &&
    text.endsWith('.') &&
    !text.includes('undefined') &&
    !text.includes('[object')
  );
}

function whyNobodyMayBeEnded(evidence: HealthEvidence, now: number): string[] {
  const { state, report, process, suspicion, watchingSince } = evidence;
  const found: string[] = [];
  if (state !== 'spawned' && state !== 'executing') found.push(`ended while ${state}`);
  if (report !== 'none') found.push('ended although a report exists or may exist');
  if (now - watchingSince < MINUTE) found.push('ended within 60 s of daemon start');
  if (process === 'unavailable' || (process.state === 'alive' && process.identity === 'unchecked'))
    found.push('ended although its process cannot be seen');
  if (!suspicion.flagged) return [...found, 'ended without a flag'];
  const { probe } = suspicion;
  if (probe.state === 'not_sent') found.push('ended without a probe');
  if (probe.state === 'failed') found.push('ended after a probe that failed to run');
  if (suspicion.phase !== evidence.phase) found.push('ended because of a flag from another phase');
  if (now < latest(evidence)) found.push('ended although the clock went backwards');
  const isHere = process !== 'unavailable' && process.state === 'alive' && process.identity === 'matches';
  const silence = isHere && evidence.workspace !== 'no' ? 120 * SECOND : 0;
  if (probe.state === 'sent' && now - probe.at < silence) found.push('ended before 120 s of silence');
  return found;
}

function lifeSinceFlag(evidence: HealthEvidence): string[] {
  const { suspicion, agent, sessionFile, checkpoint, tool, cpu, children } = evidence;
  if (!suspicion.flagged) return [];
  const { since, cpuMs, probe } = suspicion;
  const times = [
    agent !== 'unavailable' && agent.kind !== 'none' ? agent.at : 0,
    typeof sessionFile === 'object' ? sessionFile.at : 0,
    typeof checkpoint === 'object' ? checkpoint.at : 0,
    typeof tool === 'object' ? tool.since : 0,
    children !== 'unavailable' && children.newestAt !== 'none' ? children.newestAt : 0,
    probe.state === 'answered' ? probe.at : 0,
  ];
  const found = times.some((time) => time > since) ? ['ended despite a sign of life'] : [];
  if (cpu !== 'unavailable' && cpuMs !== 'unavailable' && cpu.usedMs - cpuMs >= 500)
    found.push('ended despite CPU time');
  return found;
}

/** Returns the newest time anywhere in the evidence. */
function latest(value: unknown, name = ''): number {
  if (typeof value === 'number')
    return /^(at|since|.*At|.*Since)$/.test(name) && name !== 'resetAt' ? value : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(0, ...Object.entries(value).map(([key, inner]) => latest(inner, key)));
}

function isReadable(evidence: HealthEvidence, ground: string): boolean {
  const { suspicion } = evidence;
  switch (ground) {
    case 'process':
      return evidence.process !== 'unavailable';
    case 'report':
      return evidence.report !== 'unavailable';
    case 'workspace':
      return evidence.workspace !== 'unavailable';
    case 'cpu':
      return evidence.cpu !== 'unavailable' && suspicion.flagged && suspicion.cpuMs !== 'unavailable';
    case 'session_file':
      return evidence.sessionFile !== 'unavailable';
    case 'output':
      return evidence.output !== 'unavailable';
    default:
      return false;
  }
}
