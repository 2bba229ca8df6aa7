/** Check on the repository's own quality gate, run by the host at this commit. */

import type { Signals } from '../../core/model/signals.ts';
import type { Policy } from '../../core/pipeline/policy.ts';
import type { Decision } from '../../domain/decision.ts';
import { goRound, retry, verdict } from '../verdict.ts';

/** "Could not run" is not red: it says nothing about the code, so the implementer is not sent back for it. */
export function checkQualityGate(signals: Signals, policy: Policy): Decision | undefined {
  if (policy.qualityGate === 'none') return undefined;
  const { qualityGate } = signals.evidence;
  const fact = `evidence.qualityGate=${qualityGate}`;
  switch (qualityGate) {
    case 'passed':
      return undefined;
    case 'failed':
      return goRound(
        signals,
        policy,
        'quality_gate',
        'resume_implementer_for_quality_gate',
        'quality_gate_red',
        fact,
      );
    case 'could_not_run':
      return verdict(signals, 'add_legion_paused', 'quality_gate_could_not_run', fact);
    case 'void':
    case 'none':
      return retry(signals, 'retry_quality_gate', 'quality_gate_due', fact);
    case 'unknown':
      return retry(signals, 'retry_pr_check', 'evidence_unknown', fact);
  }
}
