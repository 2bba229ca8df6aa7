/** The workers that outlive a daemon, as lines for a person. */
import { isLive, isWaiting } from '../../../domain/lifecycle.ts';
import { describeStopping } from '../../../domain/stopping.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import type { WorkerView } from '../../../protocol/operator.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import { ago } from '../../present/time.ts';

export interface RunningWorker {
  readonly view: WorkerView;
}

export async function readRunningWorkers(daemon: DaemonClient): Promise<readonly RunningWorker[]> {
  const workers = await daemon.call(workerEndpoints.list);
  return workers.filter((view) => view.stopping !== undefined || isAtWork(view)).map((view) => ({ view }));
}

/** One that has exited keeps its status until Legion has judged its end; one that waits may have exited, too. */
function isAtWork({ status, pid, exit }: WorkerView): boolean {
  if (exit !== undefined) return false;
  return isLive(status) || (isWaiting(status) && pid !== undefined);
}

export function listWorkers(workers: readonly RunningWorker[], now: number): string[] {
  return workers.map(({ view }) => {
    const { id, pid, startedAt, stopping } = view;
    const process = pid === undefined ? 'starting' : `pid ${pid}`;
    const leaving = stopping === undefined ? '' : `, ${describeStopping(stopping, now)}`;
    return `  ${id} (${process}, started ${ago(startedAt, now)})${leaving}`;
  });
}
