/**
 * Simulates one attempt over time: judges, takes the requested step, and judges again at the
 * requested time.
 */
import type { HealthEvidence, Suspicion } from '../../../../src/core/health/evidence.ts';
import type { HealthJudgement, HealthStep } from '../../../../src/core/health/judgement.ts';
import {
  clearFlag,
  markProbeAnswered,
  markProbeFailed,
  markProbeSent,
  setFlag,
} from '../../../../src/core/health/suspicion.ts';
import { ENDING, look, NOW, SECOND, worker } from './world.ts';

/** Steps after which the simulation of this attempt ends. */
const FINAL: ReadonlySet<HealthStep> = new Set([
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
  /**
   * Evidence that can be observed at the given time. The simulation itself keeps track of suspicion
   * and questions.
   */
  readonly seen: (now: number) => Partial<HealthEvidence>;
  /** Outcome of a probe at a given time. */
  readonly probe?: (how: 'ask' | 'examine', now: number) => 'runs' | 'fails' | 'answers';
}

export interface Course {
  readonly steps: readonly HealthStep[];
  readonly last: HealthJudgement;
  readonly tookMs: number;
}

/** Judges and acts repeatedly until a final step or the end of the time span. */
export function course(world: World, untilMs: number, startAt = NOW): Course {
  let suspicion: Suspicion = { flagged: false };
  let questionsAsked = 0;
  let now = startAt;
  const steps: HealthStep[] = [];
  for (;;) {
    const evidence = worker({ ...world.seen(now), suspicion, questionsAsked });
    const judgement = look(evidence, now);
    steps.push(judgement.next);
    const next = judgement.lookAgainAt;
    if (FINAL.has(judgement.next) || next === undefined || next - startAt > untilMs) {
      return { steps, last: judgement, tookMs: now - startAt };
    }
    if (judgement.next === 'flag') suspicion = setFlag(evidence, now);
    if (judgement.next === 'clear') suspicion = clearFlag(now);
    if (judgement.next === 'probe_ask' || judgement.next === 'examine') {
      const how = judgement.next === 'probe_ask' ? 'ask' : 'examine';
      if (how === 'ask') questionsAsked += 1;
      suspicion = afterProbe(evidence, how, now, world.probe?.(how, now) ?? 'runs');
    }
    now = next;
  }
}

/** Returns a world whose worker has been dead since NOW: its evidence never changes again. */
export function dead(change: Partial<HealthEvidence>): World {
  return {
    seen: () => ({
      agent: { kind: 'text', at: NOW },
      sessionFile: { at: NOW },
      screen: { changedAt: NOW },
      children: { count: 0, newestAt: 'none' },
      ...change,
    }),
  };
}

function afterProbe(
  evidence: HealthEvidence,
  how: 'ask' | 'examine',
  now: number,
  result: 'runs' | 'fails' | 'answers',
): Suspicion {
  const { suspicion } = evidence;
  if (!suspicion.flagged) return suspicion;
  if (result === 'fails') return markProbeFailed(suspicion, how, now);
  return result === 'answers'
    ? markProbeAnswered(suspicion, now + SECOND)
    : markProbeSent(suspicion, evidence, how, now);
}
