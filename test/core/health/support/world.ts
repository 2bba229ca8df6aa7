/**
 * Builds evidence of a healthy implement worker, and of workers that hang, are idle or are gone.
 */
import type { HealthEvidence, ProbeState, Suspicion } from '../../../../src/core/health/evidence.ts';
import { judgeHealth } from '../../../../src/core/health/judge.ts';
import type { HealthJudgement, HealthStep } from '../../../../src/core/health/judgement.ts';
import { DEFAULT_HEALTH_LIMITS, type HealthLimits } from '../../../../src/core/health/limits.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** 2026-01-01, far enough from zero that no age is negative by accident. */
export const NOW = 1_767_225_600_000;

export function ago(ms: number): number {
  return NOW - ms;
}

/**
 * Builds evidence of a worker that has executed for an hour and was last active ten seconds ago.
 */
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

/** Builds evidence of a running process whose last activity was this long ago. */
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

export function flagged(since: number, probe: ProbeState = { state: 'not_sent' }): Suspicion {
  return { flagged: true, since, phase: 'implement', cpuMs: 5_000, probe };
}

export function asked(at: number): ProbeState {
  return { state: 'sent', at, how: 'ask' };
}

export function examined(at: number): ProbeState {
  return { state: 'sent', at, how: 'examine' };
}

export function look(
  evidence: HealthEvidence,
  now = NOW,
  limits: Partial<HealthLimits> = DEFAULT_HEALTH_LIMITS,
): HealthJudgement {
  return judgeHealth(evidence, now, limits);
}

/**
 * Builds evidence of a worker that has been idle without a report for 20 min, was flagged and
 * probed, and has been silent since.
 */
export function idling(
  probe: ProbeState,
  change: Partial<HealthEvidence> = {},
  flaggedAgo = 10 * MINUTE,
): HealthEvidence {
  const agent = { kind: 'turn_ended', at: ago(20 * MINUTE) } as const;
  return silentFor(20 * MINUTE, { agent, suspicion: flagged(ago(flaggedAgo), probe), ...change });
}

/**
 * Builds evidence of a worker that has been silent for 20 min in the middle of a turn, was flagged
 * and examined, and has been silent since.
 */
export function hanging(
  change: Partial<HealthEvidence> = {},
  probe = examined(ago(3 * MINUTE)),
): HealthEvidence {
  return silentFor(20 * MINUTE, { suspicion: flagged(ago(4 * MINUTE), probe), ...change });
}

/** Steps that may stop a live worker. */
export const ENDING: ReadonlySet<HealthStep> = new Set(['confirm_crash', 'replace_once', 'stop_and_report']);
