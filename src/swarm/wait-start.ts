/** Since when an issue is in the state that a decision on it shows. */

import type { IssueId } from '../core/model/ids.ts';
import { isSameWait } from '../core/state/evolve/issue.ts';
import { isStopping } from '../core/state/halt.ts';
import type { Swarm } from '../core/state/state.ts';
import type { Decision } from '../domain/decision.ts';
import { workersOf } from './workers.ts';

/** Undefined where the journal does not know the state yet. */
export function findWaitStart(
  swarm: Swarm,
  issue: IssueId,
  decision: Pick<Decision, 'action' | 'reason'>,
): number | undefined {
  const { decision: made, cause } = swarm.issues.get(issue) ?? {};
  if (decision.reason === 'paused' && cause !== undefined && 'by' in cause) return cause.at;
  if (isSameWait(made, decision)) return made.since;
  // The loop decides again only when the stop is complete.
  const stops = workersOf(swarm, issue).flatMap((worker) =>
    isStopping(worker) ? (worker.facts.stoppedAt ?? []) : [],
  );
  return stops.length === 0 ? undefined : Math.max(...stops);
}
