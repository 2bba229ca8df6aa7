/**
 * Changes worker records together with the indexes derived from them. All changes go through here.
 */
import { type IssueId, toWorkerId, type WorkerId } from '../model/ids.ts';
import { hasEnded, toLifecycleState } from '../model/lifecycle.ts';
import { MODES, type Mode } from '../model/mode.ts';
import type { LegionState, WorkerRecord } from './state.ts';

export function setWorker(state: LegionState, id: WorkerId, worker: WorkerRecord): void {
  if (!state.workers.has(id)) addToIssue(state, id, worker.issue);
  state.workers.set(id, worker);
  setMembership(state.present, id, isPresent(worker));
  setMembership(state.failing, id, worker.failedLives.length > 0);
}

/** Returns whether any worker of the issue has not ended yet. */
export function hasActiveWorker(state: LegionState, issue: IssueId): boolean {
  return MODES.some((mode) => {
    const worker = state.workers.get(toWorkerId(issue, mode));
    return worker !== undefined && !hasEnded(toLifecycleState(worker.facts));
  });
}

/** Returns all current and past workers of an issue, in the order of MODES. */
export function listIssueWorkers(state: LegionState, issue: IssueId): WorkerRecord[] {
  const workers: WorkerRecord[] = [];
  // A plain loop, because this runs several times for each of thousands of issues.
  for (const id of state.workersByIssue.get(issue.toLowerCase()) ?? []) {
    const worker = state.workers.get(id);
    if (worker !== undefined) workers.push(worker);
  }
  return workers;
}

/** Returns workers whose attempt has not ended or whose process may still be running. */
export function listPresentWorkers(state: LegionState): [WorkerId, WorkerRecord][] {
  return toWorkerEntries(state, state.present);
}

/**
 * Returns workers with attempts that ended in a crash or error since a person last reset the count.
 */
export function listFailingWorkers(state: LegionState): [WorkerId, WorkerRecord][] {
  return toWorkerEntries(state, state.failing);
}

/** Returns whether the worker's process has exited while its attempt is still undecided. */
export function hasExited({ facts, exit }: WorkerRecord): boolean {
  const state = toLifecycleState(facts);
  return exit !== undefined && (state === 'spawned' || state === 'executing');
}

/**
 * Called only for a worker's first attempt: an issue has at most one worker of each mode, and keeps
 * it.
 */
function addToIssue({ workersByIssue }: LegionState, id: WorkerId, issue: IssueId): void {
  const key = issue.toLowerCase();
  const known = workersByIssue.get(key) ?? [];
  const ids = MODES.map((mode: Mode) => toWorkerId(issue, mode));
  workersByIssue.set(
    key,
    ids.filter((each) => each === id || known.includes(each)),
  );
}

function toWorkerEntries({ workers }: LegionState, ids: ReadonlySet<WorkerId>): [WorkerId, WorkerRecord][] {
  return [...ids].flatMap((id): [WorkerId, WorkerRecord][] => {
    const worker = workers.get(id);
    return worker === undefined ? [] : [[id, worker]];
  });
}

function isPresent({ facts, process, exit, zombie }: WorkerRecord): boolean {
  const mayHaveProcess = process !== undefined && exit === undefined && zombie !== true;
  return mayHaveProcess || !hasEnded(toLifecycleState(facts));
}

/**
 * Writes only on change: most events change nothing here, and checking a set is faster than writing
 * to it.
 */
function setMembership(ids: Set<WorkerId>, id: WorkerId, isWanted: boolean): void {
  if (ids.has(id) === isWanted) return;
  if (isWanted) ids.add(id);
  else ids.delete(id);
}
