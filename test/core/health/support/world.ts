/** A healthy implement worker to start from, and the ways it is found hanging, idle or gone. */
import type { HealthEvidence, Probe, Suspicion } from '../../../../src/health/evidence.ts';
import { judge } from '../../../../src/health/judge.ts';
import type { Judgement, Step } from '../../../../src/health/judgement.ts';
import { HEALTH_LIMITS, type HealthLimits } from '../../../../src/health/limits.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** 2026-01-01, far enough from zero that no age is negative by accident. */
export const NOW = 1_767_225_600_000;

export function ago(ms: number): number {
  return NOW - ms;
}

/** Executing for an hour, last heard of ten seconds ago. */
export function worker(change: Partial<HealthEvidence> = {}): HealthEvidence {
  return {
    worker: 'eng-21-implement',
    attempt: 1,
    phase: 'implement',
    state: 'executing',
    stateSince: ago(HOUR),
    spawnedAt: ago(HOUR),
    watchingSince: ago(DAY),
    process: { state: 'alive', identity: 'matches' },
    agent: { kind: 'text', at: ago(10 * SECOND) },
    tool: 'none',
    cpu: { usedMs: 5_000 },
    children: { count: 1, newestAt: ago(HOUR) },
    sessionFile: { at: ago(10 * SECOND) },
    report: 'none',
    checkpoint: 'none',
    rateLimit: 'none',
    output: 'text',
    workspace: 'yes',
    suspicion: { flagged: false },
    questionsAsked: 0,
    personToldAt: 'never',
    ...change,
  };
}

/** Everything it ever did lies this long back; its process still hangs there. */
export function silentFor(ms: number, change: Partial<HealthEvidence> = {}): HealthEvidence {
  const at = ago(ms);
  return worker({
    spawnedAt: at - HOUR,
    stateSince: at - HOUR,
    agent: { kind: 'text', at },
    sessionFile: { at },
    children: { count: 1, newestAt: at - HOUR },
    ...change,
  });
}

export const GONE = { state: 'gone', since: ago(MINUTE), exit: { code: null, signal: 'SIGKILL' } } as const;
export const ALIVE = { state: 'alive', identity: 'matches' } as const;

export function flagged(since: number, probe: Probe = { state: 'not_sent' }): Suspicion {
  return { flagged: true, since, phase: 'implement', cpuMs: 5_000, probe };
}

export function asked(at: number): Probe {
  return { state: 'sent', at, how: 'ask' };
}

export function examined(at: number): Probe {
  return { state: 'sent', at, how: 'examine' };
}

export function look(
  evidence: HealthEvidence,
  now = NOW,
  limits: Partial<HealthLimits> = HEALTH_LIMITS,
): Judgement {
  return judge(evidence, now, limits);
}

/** Idle without a word for 20 min; flagged, probed, and nothing has stirred since. */
export function idling(
  probe: Probe,
  change: Partial<HealthEvidence> = {},
  flaggedAgo = 10 * MINUTE,
): HealthEvidence {
  const agent = { kind: 'turn_ended', at: ago(20 * MINUTE) } as const;
  return silentFor(20 * MINUTE, { agent, suspicion: flagged(ago(flaggedAgo), probe), ...change });
}

/** Silent for 20 min in the middle of a turn; flagged, examined, and nothing has stirred since. */
export function hanging(
  change: Partial<HealthEvidence> = {},
  probe = examined(ago(3 * MINUTE)),
): HealthEvidence {
  return silentFor(20 * MINUTE, { suspicion: flagged(ago(4 * MINUTE), probe), ...change });
}

/** Steps that may end something living. */
export const ENDING: ReadonlySet<Step> = new Set(['confirm_crash', 'replace_once', 'stop_and_report']);
