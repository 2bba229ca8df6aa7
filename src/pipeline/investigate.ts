/** Anomalies: re-read the forge, then tell the worker once what is missing, then pause and ask a person. */

import type { Signals } from '../core/model/signals.ts';
import type { Policy } from '../core/pipeline/policy.ts';
import type { Decision } from '../domain/decision.ts';
import { verdict } from './verdict.ts';

const ANOMALIES = {
  no_pr: { action: 'investigate_no_pr', still: 'still_no_pr', fact: 'pullRequest=none' },
  no_review: { action: 'investigate_no_review', still: 'still_no_review', fact: 'review=none' },
} as const;

/** Step 0 re-reads, step 1 tells the worker; the number of steps made is the round count of this anomaly. */
export function investigate(signals: Signals, policy: Policy, anomaly: keyof typeof ANOMALIES): Decision {
  const { action, still, fact } = ANOMALIES[anomaly];
  const made = signals.rounds[anomaly] ?? 0;
  const tally = `investigation=${made}/${policy.rounds[anomaly]}`;
  return made < policy.rounds[anomaly]
    ? verdict(signals, action, anomaly, fact, tally)
    : verdict(signals, 'add_legion_paused', still, fact, tally);
}
