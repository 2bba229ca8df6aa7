/** What follows when the tester did not pass the work. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { goRound } from '../verdict.ts';

export function testFailure(signals: Signals, policy: Policy, fact: string): Decision {
  return goRound(
    signals,
    policy,
    'test_failure',
    'resume_implementer_for_test_failure',
    'tests_failed',
    fact,
  );
}
