/** Drives one attempt through time: looks, does what the judgement asks for, looks again when told to. */
import type { HealthEvidence, Suspicion } from '../../../../src/health/evidence.ts';
import type { Judgement, Step } from '../../../../src/health/judgement.ts';
import {
  clearFlag,
  probeAnswered,
  probeFailed,
  probeSent,
  raiseFlag,
} from '../../../../src/health/suspicion.ts';
import { ENDING, look, NOW, SECOND, worker } from './world.ts';

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
    if (judgement.next === 'clear') suspicion = clearFlag(now);
    if (judgement.next === 'probe_ask' || judgement.next === 'examine') {
      const how = judgement.next === 'probe_ask' ? 'ask' : 'examine';
      if (how === 'ask') questionsAsked += 1;
      suspicion = afterProbe(evidence, how, now, world.probe?.(how, now) ?? 'runs');
    }
    now = next;
  }
}

/** A world that is dead since NOW: nothing in it will ever move again. */
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
  if (result === 'fails') return probeFailed(suspicion, how, now);
  return result === 'answers'
    ? probeAnswered(suspicion, now + SECOND)
    : probeSent(suspicion, evidence, how, now);
}
