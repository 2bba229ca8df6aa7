/** Picks the worker of an issue if the command line does not specify a mode. */
import { LegionError } from '../core/model/fault.ts';
import { type IssueId, toWorkerId, type WorkerId } from '../core/model/ids.ts';
import { isLive, isWaiting } from '../core/model/lifecycle.ts';
import { issueEndpoints } from '../protocol/endpoints/issues.ts';
import { workerEndpoints } from '../protocol/endpoints/workers.ts';
import type { WorkerView } from '../protocol/workers.ts';
import type { DaemonClient } from './daemon-client.ts';
import { parseIssueId, parseMode } from './parse-names.ts';

/**
 * Returns the issue's active worker. If none is active, returns the one that started last. Throws
 * if several are active.
 */
export async function pickWorker(
  daemon: DaemonClient,
  issue: string,
  mode: string | undefined,
): Promise<WorkerId> {
  const id = parseIssueId(issue);
  // With a mode, no daemon is needed, so that `legion view` can wait for a daemon to start.
  if (mode !== undefined) return toWorkerId(id, parseMode(mode));
  const workers = await listIssueWorkers(daemon, id);
  if (workers.length === 0) await requireOnBoard(daemon, id);
  const [picked, ...others] = findPresentWorkers(workers);
  if (picked !== undefined && others.length > 0) {
    const modes = [picked, ...others].map((worker) => worker.mode).join(', ');
    throw new LegionError(
      'usage.invalid',
      `${id} has several active workers. Specify one of their modes: ${modes}.`,
    );
  }
  if (picked === undefined) {
    const next = `Run \`legion explain ${id}\` to see what it is waiting for.`;
    throw new LegionError('worker.unknown', `${id} has had no worker yet`, { next });
  }
  return picked.id;
}

/** Returns the active workers. If none is active, returns only the one that started last. */
export function findPresentWorkers(workers: readonly WorkerView[]): readonly WorkerView[] {
  const active = workers.filter(({ status }) => isLive(status) || isWaiting(status));
  return active.length > 0 ? active : workers.toSorted((a, b) => b.startedAt - a.startedAt).slice(0, 1);
}

/**
 * Rejects with `tracker.issue_unknown` if the issue is not on the board. Called if an issue has no
 * worker, because its id may be mistyped.
 */
export async function requireOnBoard(daemon: DaemonClient, issue: IssueId): Promise<void> {
  await daemon.call(issueEndpoints.show, { params: { id: issue } });
}

export async function listIssueWorkers(daemon: DaemonClient, issue: IssueId): Promise<readonly WorkerView[]> {
  const workers = await daemon.call(workerEndpoints.list, { query: { finished: 'all' } });
  return workers.filter((worker) => worker.issue.toLowerCase() === issue.toLowerCase());
}
