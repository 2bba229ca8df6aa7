/** Reads board and forge anew and says what is due for each issue; nothing is written. */
import { LegionError } from '../../../domain/fault.ts';
import type { Collected, CollectRequest, IssueState } from '../../../protocol/board-state.ts';
import { issueState } from '../../present/issue-state.ts';
import type { World } from '../../world.ts';
import { type Look, lookAtBoard, lookAtLastSeen } from '../look.ts';
import { namedIssues } from './named-issues.ts';

export async function collect(
  world: World,
  { backend, issues, lastSeen = false }: CollectRequest,
): Promise<Collected> {
  const { kind } = world.tracker;
  if (backend !== undefined && backend !== kind)
    throw new LegionError('state.not_accepted', `this legion’s board is ${kind}, not ${backend}`);
  const all = lastSeen ? lookAtLastSeen(world) : await lookAtBoard(world);
  const named =
    issues === undefined
      ? undefined
      : namedIssues(
          issues,
          all.map(({ seen }) => seen.issue),
        );
  const looks = all.filter(({ seen }) => named === undefined || named.has(seen.issue.id));
  const states = looks.map((look): [string, IssueState] => [look.seen.issue.id, stateOf(world, look)]);
  return { issues: Object.fromEntries(states), at: world.clock.now() };
}

export function stateOf({ legionId, ledger }: World, { seen, signals, decision }: Look): IssueState {
  return issueState(legionId, ledger.swarm, seen, signals, decision);
}
