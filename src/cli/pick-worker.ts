/** Which worker of an issue is meant where its mode was not said. */
import { LegionError } from '../core/model/fault.ts';
import { type IssueId, type WorkerId, workerId } from '../core/model/ids.ts';
import { isLive, isWaiting } from '../domain/lifecycle.ts';
import { issueEndpoints } from '../protocol/endpoints/issues.ts';
import { workerEndpoints } from '../protocol/endpoints/workers.ts';
import type { WorkerView } from '../protocol/operator.ts';
import type { DaemonClient } from './daemon-client.ts';
import { parseIssueId, parseMode } from './parse-names.ts';

/** The one at work; otherwise the one that began last. Two at work must be told apart by the caller. */
export async function pickWorker(
  daemon: DaemonClient,
  issue: string,
  mode: string | undefined,
): Promise<WorkerId> {
  const id = parseIssueId(issue);
  // Needs no daemon, so that `legion view` can wait for one.
  if (mode !== undefined) return workerId(id, parseMode(mode));
  const workers = await workersOf(daemon, id);
  if (workers.length === 0) await requireOnBoard(daemon, id);
  const [picked, ...others] = findPresentWorkers(workers);
  if (picked !== undefined && others.length > 0) {
    const modes = [picked, ...others].map((worker) => worker.mode).join(', ');
    throw new LegionError('usage.invalid', `${id} has several workers at work: say which mode of ${modes}`);
  }
  if (picked === undefined) {
    const next = `Run \`legion explain ${id}\` to see what it waits for.`;
    throw new LegionError('worker.unknown', `${id} has had no worker yet`, { next });
  }
  return picked.id;
}

/** Those at work; otherwise the one that began last. */
export function findPresentWorkers(workers: readonly WorkerView[]): readonly WorkerView[] {
  const atWork = workers.filter(({ status }) => isLive(status) || isWaiting(status));
  return atWork.length > 0 ? atWork : workers.toSorted((a, b) => b.startedAt - a.startedAt).slice(0, 1);
}

/** Rejects with `tracker.issue_unknown`: a mistyped issue also has no worker. */
export async function requireOnBoard(daemon: DaemonClient, issue: IssueId): Promise<void> {
  await daemon.call(issueEndpoints.show, { params: { id: issue } });
}

export async function workersOf(daemon: DaemonClient, issue: IssueId): Promise<readonly WorkerView[]> {
  const workers = await daemon.call(workerEndpoints.list);
  return workers.filter((worker) => worker.issue.toLowerCase() === issue.toLowerCase());
}
