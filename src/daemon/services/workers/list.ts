/**
 * Lists workers for people and programs. Leaves out workers of finished issues, which would
 * otherwise accumulate forever.
 */
import type { IssueId } from '../../../core/model/ids.ts';
import { hasEnded, isLive, isWaiting, toLifecycleState } from '../../../core/model/lifecycle.ts';
import { isFinished } from '../../../core/model/status.ts';
import { isStopping } from '../../../core/state/halt.ts';
import type { WorkerRecord } from '../../../core/state/state.ts';
import type { WorkersQuery, WorkerView } from '../../../protocol/workers.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import { isForgotten, toWorkerView } from '../../present/worker.ts';

export async function listWorkers(
  context: StateContext & PortContext,
  { active, finished }: WorkersQuery,
): Promise<WorkerView[]> {
  const paths = new Map((await context.workspaces.list()).map(({ issue, path }) => [issue, path]));
  const { state } = context.ledger;
  return [...state.workers.values()]
    .filter((worker) => !isForgotten(state, worker))
    .filter((worker) => finished === 'all' || !isCleanedUp(context, worker, paths))
    .filter((worker) => !active || isActive(worker))
    .map((worker) => toWorkerView(context, worker, paths.get(worker.issue)));
}

/**
 * Returns whether the worker has ended, its issue is finished and nothing of the issue is left on
 * disk. A workspace that holds unsaved work keeps the issue's workers in the list.
 */
function isCleanedUp(
  { boardView, ledger }: StateContext,
  worker: WorkerRecord,
  workspaces: ReadonlyMap<IssueId, string>,
): boolean {
  const { issue, facts } = worker;
  if (workspaces.has(issue) || isStopping(worker) || !hasEnded(toLifecycleState(facts))) return false;
  return isFinished(boardView.find(issue)?.status ?? ledger.state.board.get(issue)?.status);
}

function isActive({ facts }: WorkerRecord): boolean {
  const state = toLifecycleState(facts);
  return isLive(state) || isWaiting(state);
}
