/** The one way a worker's record changes: the sets of those that matter at any moment change with it. */
import { type IssueId, type WorkerId, workerId } from '../core/model/ids.ts';
import type { Swarm, WorkerRecord } from '../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../domain/lifecycle.ts';
import { MODES, type Mode } from '../domain/mode.ts';

export function setWorker(swarm: Swarm, id: WorkerId, worker: WorkerRecord): void {
  if (!swarm.workers.has(id)) addToIssue(swarm, id, worker.issue);
  swarm.workers.set(id, worker);
  keepIn(swarm.present, id, isPresent(worker));
  keepIn(swarm.failing, id, worker.failedLives.length > 0);
}

/** Everyone who works or has worked on an issue, in the order of MODES. */
export function workersOf(swarm: Swarm, issue: IssueId): WorkerRecord[] {
  const found: WorkerRecord[] = [];
  // A loop, because this is asked several times for each of thousands of issues.
  for (const id of swarm.workersByIssue.get(issue.toLowerCase()) ?? []) {
    const worker = swarm.workers.get(id);
    if (worker !== undefined) found.push(worker);
  }
  return found;
}

/** Workers whose attempt has not ended, or whose process may still be there. */
export function presentWorkers(swarm: Swarm): [WorkerId, WorkerRecord][] {
  return recordsOf(swarm, swarm.present);
}

/** Workers with lives that ended in a crash or an error since a person last reset the count. */
export function failingWorkers(swarm: Swarm): [WorkerId, WorkerRecord][] {
  return recordsOf(swarm, swarm.failing);
}

/** Its process has ended, and what that means for its attempt is not decided yet. */
export function hasExited({ facts, exit }: WorkerRecord): boolean {
  const state = lifecycleOf(facts);
  return exit !== undefined && (state === 'spawned' || state === 'executing');
}

/** Only for a worker's first attempt: an issue has at most one worker of each mode, and keeps it. */
function addToIssue({ workersByIssue }: Swarm, id: WorkerId, issue: IssueId): void {
  const key = issue.toLowerCase();
  const known = workersByIssue.get(key) ?? [];
  const ids = MODES.map((mode: Mode) => workerId(issue, mode));
  workersByIssue.set(
    key,
    ids.filter((each) => each === id || known.includes(each)),
  );
}

function recordsOf({ workers }: Swarm, ids: ReadonlySet<WorkerId>): [WorkerId, WorkerRecord][] {
  return [...ids].flatMap((id): [WorkerId, WorkerRecord][] => {
    const worker = workers.get(id);
    return worker === undefined ? [] : [[id, worker]];
  });
}

function isPresent({ facts, process, exit, zombie }: WorkerRecord): boolean {
  const mayHaveProcess = process !== undefined && exit === undefined && zombie !== true;
  return mayHaveProcess || !hasEnded(lifecycleOf(facts));
}

/** Only where it changes: most events leave a worker where it is, and a set is slower than a look. */
function keepIn(ids: Set<WorkerId>, id: WorkerId, isWanted: boolean): void {
  if (ids.has(id) === isWanted) return;
  if (isWanted) ids.add(id);
  else ids.delete(id);
}
