/** Which duties a prompt lists: those of the phase, unless the reason for the call asks for something else. */
import type { Purpose } from '../../domain/command.ts';
import type { Phase } from '../../domain/mode.ts';
import type { Duty } from './template/form.ts';

/** Calls that ask an implementer to change what it has built, not to build. */
const REWORK: ReadonlySet<Purpose> = new Set<Purpose>([
  'ci_failure',
  'test_failure',
  'review_changes',
  'conflict',
  'sent_back',
  'quality_gate',
  'missing_pr',
]);

/** `calledFor`: the last purpose that was more than continuing. */
export function dutyFor(phase: Phase, calledFor: Purpose): Duty {
  if (phase === 'architect' && calledFor === 'plan_review') return 'plan_review';
  return phase === 'implement' && REWORK.has(calledFor) ? 'rework' : phase;
}
