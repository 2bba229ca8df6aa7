/** Since when a worker is in the state it is in. */

import type { WorkerRecord } from '../../core/state/state.ts';
import { type AttemptFacts, type LifecycleState, lifecycleOf } from '../../domain/lifecycle.ts';
import { hasExited } from '../../swarm/workers.ts';

/** A worker that was woken, or whose report was refused, has worked since its first word. */
export function stateSince(worker: WorkerRecord): number {
  const { facts, exit } = worker;
  if (exit !== undefined && hasExited(worker)) return exit.at;
  return timeOf(lifecycleOf(facts), facts) ?? facts.dispatchedAt;
}

function timeOf(state: LifecycleState, facts: AttemptFacts): number | undefined {
  switch (state) {
    case 'spawned':
      return facts.dispatchedAt;
    case 'executing':
      return facts.firstEventAt;
    case 'reporting':
      return facts.reportedAt;
    case 'finished':
      return facts.acceptedAt;
    case 'waiting-user':
    case 'waiting-quota':
      return facts.waiting?.since;
    case 'crashed':
      return facts.crashedAt;
    case 'paused':
      return facts.pausedAt;
    case 'stopped':
      return facts.stoppedAt;
  }
}
