/** In Progress: the implementer works until there is a pull request that merges and that CI and the quality gate accept. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { checkCi, checkMergeable, checkPullRequest } from '../checks/pull-request.ts';
import { checkQualityGate } from '../checks/quality-gate.ts';
import { verdict } from '../verdict.ts';

export function decideInProgress(signals: Signals, policy: Policy): Decision {
  if (!signals.labels.has('worker-done'))
    return verdict(signals, 'dispatch_implementer', 'due', 'worker=none');
  return (
    checkPullRequest(signals, policy) ??
    checkMergeable(signals, policy) ??
    checkCi(signals, policy) ??
    checkQualityGate(signals, policy) ??
    verdict(signals, 'transition_to_testing', 'finished', 'label=worker-done')
  );
}
