/** What cards wait for while auto_advance is off: the loop then decides nothing, so that the journal has no answer, or an old one. */
import type { IssueId } from '../../../../domain/ids.ts';
import type { Card } from '../../../../protocol/dashboard.ts';
import type { Swarm } from '../../../../swarm/state.ts';
import { reasonInWords } from '../../../present/reason.ts';
import type { World } from '../../../world.ts';
import type { ShownEvaluation } from '../../evaluate-issues.ts';
import { waitFor } from './known-of.ts';

/** By what was last seen, as `explain` decides it by a look of its own; of no issue while the loop moves them by itself. */
export function heldWaits(
  world: World,
  evaluations: readonly ShownEvaluation[],
): ReadonlyMap<IssueId, Card['waits']> {
  if (world.settings().autoAdvance) return new Map();
  const { issues } = world.ledger.swarm;
  // What is under way was decided when somebody advanced it, and is in the journal.
  const idle = evaluations.filter(({ seen }) => (issues.get(seen.issue.id)?.openIntents ?? 0) === 0);
  return new Map(idle.map((each) => [each.seen.issue.id, waitsOf(world.ledger.swarm, each)]));
}

function waitsOf(swarm: Swarm, { seen, decision }: ShownEvaluation): Card['waits'] {
  const { action, reason, until } = decision;
  if (action === 'skip') return waitFor(swarm, seen.issue.id, decision);
  const { by, what } = until;
  return { says: `${reasonInWords(reason)} It waits to be advanced.`, by, what };
}
