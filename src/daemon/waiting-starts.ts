/** Issues whose worker may not start yet, in the order they were found; looked at first when a place is free. */
import type { IssueId } from '../domain/ids.ts';
import { isLive, lifecycleOf } from '../domain/lifecycle.ts';
import type { Places } from '../pipeline/order.ts';
import type { Swarm } from '../swarm/state.ts';
import type { IssueStep } from '../swarm/step.ts';

/** Reasons that time or a free place ends, as the decision gives them. */
const WAITS: ReadonlySet<string> = new Set([
  'no_capacity',
  'stagger',
  'respawn_wait',
  'breaker_open',
  'remains_alive',
]);

export class WaitingStarts {
  #issues: IssueId[] = [];

  get first(): readonly IssueId[] {
    return this.#issues;
  }

  /** `whole`: the steps are of the whole board, so that who is not among them waits no more. */
  note(steps: readonly IssueStep[], whole: boolean): void {
    const looked = new Set(steps.map(({ issue }) => issue));
    const waiting = steps.filter(({ decisions }) => WAITS.has(decisions.at(-1)?.reason ?? ''));
    const others = whole ? [] : this.#issues.filter((issue) => !looked.has(issue));
    this.#issues = [...others, ...waiting.map(({ issue }) => issue)];
  }
}

/** How many more workers could start now; at least one, because review workers need no place. */
export function freePlaces(swarm: Swarm, { workers }: Places): number {
  const live = [...swarm.workers.values()].filter(({ facts }) => isLive(lifecycleOf(facts))).length;
  return Math.max(workers - live, 1);
}
