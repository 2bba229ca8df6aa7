/** Reads board and forge anew and says what is due for each issue; nothing is written. */
import type { Collected, IssueState } from '../../../protocol/operator.ts';
import { issueState } from '../../present/issue-state.ts';
import type { World } from '../../world.ts';
import { type Look, lookAtBoard } from '../look.ts';

export async function collect(world: World): Promise<Collected> {
  const looks = await lookAtBoard(world);
  const states = looks.map((look): [string, IssueState] => [look.seen.issue.id, stateOf(world, look)]);
  return { issues: Object.fromEntries(states), at: world.clock.now() };
}

export function stateOf({ legionId, ledger }: World, { seen, signals, decision }: Look): IssueState {
  return issueState(legionId, ledger.swarm, seen, signals, decision);
}
