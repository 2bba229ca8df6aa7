/** Reads board and forge anew and says what is due for each issue; nothing is written. */
import { LegionError } from '../../../core/model/fault.ts';
import { sessionNamespace } from '../../../core/model/ids.ts';
import type { Collected, FetchRequest, IssueState } from '../../../protocol/board-state.ts';
import type { IssueSummary } from '../../../protocol/status.ts';
import { issueState, issueSummary, type StopTimes } from '../../present/issue-state.ts';
import type { World } from '../../world.ts';
import { evaluateBoard, evaluateLastSeen, type ShownEvaluation } from '../evaluate-issues.ts';
import { explainOpenRevert, explainRolledBack, type RolledBack } from './explain-rolled-back.ts';
import type { RevertState } from './revert-states.ts';

export async function collect(
  world: World,
  { backend, lastSeen = false }: Partial<FetchRequest>,
): Promise<Collected> {
  refuseOtherBoard(world, backend);
  return collected(world, lastSeen ? evaluateLastSeen(world) : await evaluateBoard(world));
}

export function collected(world: World, evaluations: readonly ShownEvaluation[]): Collected {
  const namespace = sessionNamespace(world.legionId);
  const states = evaluations.map((each): [string, IssueState] => [
    each.seen.issue.id,
    stateOf(world, each, namespace),
  ]);
  return { issues: Object.fromEntries(states), at: world.clock.now() };
}

export function refuseOtherBoard({ tracker: { kind } }: World, backend: string | undefined): void {
  if (backend !== undefined && backend !== kind)
    throw new LegionError('state.not_accepted', `this legion’s board is ${kind}, not ${backend}`);
}

export function stateOf(
  world: World,
  evaluation: ShownEvaluation,
  namespace = sessionNamespace(world.legionId),
  revert?: RevertState,
): IssueState {
  const { seen, signals, decision } = evaluation;
  const state = issueState(namespace, world.ledger.swarm, seen, signals, decision, stopTimesOf(world));
  const rolledBack = explainRestart(world, evaluation, revert);
  if (rolledBack === undefined)
    return (readOf(seen) ?? revert) === 'open' ? addOpenRevert(world, state) : state;
  const { text: says, next } = rolledBack;
  return { ...state, says, until: { ...state.until, next } };
}

/** What the loop last read of the revert, if the forge could tell. */
function readOf({ revert }: ShownEvaluation['seen']): RevertState | undefined {
  return revert === undefined || revert.state === 'unknown' ? undefined : revert.state;
}

/** A finished issue, or one that cannot start again, then waits for a person. */
function addOpenRevert(world: World, state: IssueState): IssueState {
  const open = explainOpenRevert(world, state.id);
  if (open === undefined) return state;
  const until = { by: 'person', what: 'someone merges or closes the revert', next: open.next };
  const waitsForRevert = state.until.by === 'nothing_more' || state.reason === 'revert_open';
  return { ...state, says: `${state.says} ${open.text}`, until: waitsForRevert ? until : state.until };
}

export function summaryOf(world: World, evaluation: ShownEvaluation): IssueSummary {
  const summary = issueSummary(world.ledger.swarm, evaluation.seen, evaluation.decision, stopTimesOf(world));
  const rolledBack = explainRestart(world, evaluation);
  return rolledBack === undefined ? summary : { ...summary, says: rolledBack.text };
}

function stopTimesOf({ clock, settings }: World): StopTimes {
  return { now: clock.now(), limits: settings().health };
}

/** Undefined unless a new start after a rollback waits for approval. */
export function explainRestart(
  world: World,
  { seen, signals, decision }: ShownEvaluation,
  revert?: RevertState,
): RolledBack | undefined {
  if (decision.reason !== 'waits_for_approval') return undefined;
  return explainRolledBack(world, seen.issue.id, seen.status, [...signals.labels], readOf(seen) ?? revert);
}
