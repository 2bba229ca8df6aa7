/** What follows when a tester or merger found the work unfit: the implementer gets the reason as its work order. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Mode } from '../../domain/mode.ts';
import { goRound } from '../verdict.ts';

export function checkSentBack(signals: Signals, policy: Policy, by: Mode): Decision | undefined {
  if (signals.sentBack !== by) return undefined;
  return goRound(
    signals,
    policy,
    'sent_back',
    'resume_implementer_for_changes',
    'sent_back',
    `sentBack=${by}`,
  );
}
