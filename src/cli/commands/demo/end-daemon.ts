/** Ends the demo's daemon and whatever worker is still there: whoever interrupts a demo wants it gone. */

import { LegionError } from '../../../core/model/fault.ts';
import { isLive, isWaiting } from '../../../domain/lifecycle.ts';
import { isRunning } from '../../../lib/process/proc-table.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import type { WorkerView } from '../../../protocol/operator.ts';
import { type DaemonClient, daemonClient } from '../../daemon-client.ts';
import { waitFor } from '../../wait-for.ts';

/** Beyond the whole ladder of the demo's own health limits: 1 s of grace, SIGTERM, 2 s, SIGKILL. */
const WORKERS_MS = 8_000;
/** Six workspaces, made one after the other: two seconds, on a very busy machine many times that. */
const STARTING_MS = 20_000;
/** It finishes what it is writing, no more. */
const DAEMON_MS = 10_000;
const LOOK_EVERY_MS = 25;

/** Never interrupted, and bounded by the times above. */
export async function endDaemon(state: string): Promise<void> {
  const { signal } = new AbortController();
  try {
    const daemon = daemonClient(state, signal);
    await endWorkers(daemon, signal);
    await daemon.call(adminEndpoints.shutdown);
    const { pid } = daemon.file;
    const gone = async () => (isRunning(pid) ? undefined : true);
    const bounds = { everyMs: LOOK_EVERY_MS, boundMs: DAEMON_MS, signal };
    // It is ours: this process has started it, and has just heard from it.
    if ((await waitFor(gone, bounds)) === undefined) process.kill(pid, 'SIGKILL');
  } catch (error) {
    // Gone by itself, or never there: that is what was wanted.
    if (!(error instanceof LegionError && error.code.startsWith('daemon.'))) throw error;
  }
}

async function endWorkers(daemon: DaemonClient, signal: AbortSignal): Promise<void> {
  if ((await stillThere(daemon)).length === 0) return;
  // Nobody is started in the place of those that are stopped.
  const why = 'the demo ends';
  await daemon.call(adminEndpoints.pause, { body: { by: 'demo', why } });
  // Who is about to be started is stopped for certain once there is a process.
  const all = async () => {
    const there = await stillThere(daemon);
    return there.every(({ pid }) => pid !== undefined) ? there : undefined;
  };
  const bounds = { everyMs: LOOK_EVERY_MS, signal };
  const present = (await waitFor(all, { ...bounds, boundMs: STARTING_MS })) ?? (await stillThere(daemon));
  await Promise.all(present.map((worker) => stop(daemon, worker)));
  const gone = async () => ((await stillThere(daemon)).length === 0 ? true : undefined);
  await waitFor(gone, { ...bounds, boundMs: WORKERS_MS });
}

async function stillThere(daemon: DaemonClient): Promise<readonly WorkerView[]> {
  const workers = await daemon.call(workerEndpoints.list);
  return workers.filter(
    ({ status, pid, exit }) =>
      exit === undefined && (pid !== undefined || isLive(status) || isWaiting(status)),
  );
}

async function stop(daemon: DaemonClient, { id }: WorkerView): Promise<void> {
  try {
    await daemon.call(workerEndpoints.stop, { params: { id } });
  } catch (error) {
    // It may have ended since.
    if (!(error instanceof LegionError)) throw error;
  }
}
