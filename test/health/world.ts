/** A healthy implement worker to start from, and a driver that does what each judgement asks for. */
import type { HealthEvidence, Probe, Suspicion } from '../../src/health/evidence.ts';
import { judge } from '../../src/health/judge.ts';
import type { Judgement, Step } from '../../src/health/judgement.ts';
import { HEALTH_LIMITS, type HealthLimits } from '../../src/health/limits.ts';
import { raiseFlag } from '../../src/health/three-steps.ts';

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
    screen: { changedAt: ago(10 * SECOND) },
    transport: 'ok',
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
    screen: { changedAt: at },
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

/** Steps that may end something living. */
export const ENDING: ReadonlySet<Step> = new Set(['confirm_crash', 'replace_once', 'stop_and_report']);

/** Steps after which the driver has nothing more to do with this attempt. */
const FINAL: ReadonlySet<Step> = new Set([
  ...ENDING,
  'dispatch',
  'report_corruption',
  'recover_report',
  'hold_for_quota',
  'resume_after_quota',
  'ask_person',
  'reap_at_cleanup',
]);

export interface World {
  /** What can be seen at a time; suspicion and questions are the driver's own. */
  readonly seen: (now: number) => Partial<HealthEvidence>;
  /** Whether a probe can run. */
  readonly probe?: (how: 'ask' | 'examine', now: number) => 'runs' | 'fails' | 'answers';
}

export interface Course {
  readonly steps: readonly Step[];
  readonly last: Judgement;
  readonly tookMs: number;
}

/** Looks, does what is asked, looks again when told to, until a final step or the time is over. */
export function course(world: World, untilMs: number, startAt = NOW): Course {
  let suspicion: Suspicion = { flagged: false };
  let questionsAsked = 0;
  let now = startAt;
  const steps: Step[] = [];
  for (;;) {
    const evidence = worker({ ...world.seen(now), suspicion, questionsAsked });
    const judgement = look(evidence, now);
    steps.push(judgement.next);
    const next = judgement.lookAgainAt;
    if (FINAL.has(judgement.next) || next === undefined || next - startAt > untilMs) {
      return { steps, last: judgement, tookMs: now - startAt };
    }
    if (judgement.next === 'flag') suspicion = raiseFlag(evidence, now);
    if (judgement.next === 'clear') suspicion = { flagged: false, clearedAt: now };
    if (judgement.next === 'probe_ask' || judgement.next === 'examine') {
      const how = judgement.next === 'probe_ask' ? 'ask' : 'examine';
      if (how === 'ask') questionsAsked += 1;
      suspicion = probed(suspicion, how, now, world.probe?.(how, now) ?? 'runs');
    }
    now = next;
  }
}

function probed(
  suspicion: Suspicion,
  how: 'ask' | 'examine',
  at: number,
  result: 'runs' | 'fails' | 'answers',
): Suspicion {
  if (!suspicion.flagged) return suspicion;
  if (result === 'fails') return { ...suspicion, probe: { state: 'failed', at, how } };
  if (result === 'answers') return { ...suspicion, probe: { state: 'answered', at: at + SECOND } };
  return { ...suspicion, probe: { state: 'sent', at, how } };
}
