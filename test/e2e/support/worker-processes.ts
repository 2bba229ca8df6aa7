/** Finds the processes of one worker by their environment, without the daemon. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { listProcesses } from '../../support/end-workers.ts';

/**
 * Maximum time for a killed process to disappear. It takes milliseconds, or seconds on a busy
 * machine.
 */
const GONE_WITHIN_MS = 10_000;

/** Returns the agent, its children and the runner that waits for it. */
export function listWorkerProcesses(state: string, worker: string): number[] {
  return listProcesses(state).filter((pid) => readVariable(pid, 'LEGION_WORKER') === worker);
}

/** Kills all processes of the worker at once, so that no exit status is written. */
export async function killWorker(state: string, worker: string): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (
    let left = listWorkerProcesses(state, worker);
    left.length > 0;
    left = listWorkerProcesses(state, worker)
  ) {
    if (performance.now() > deadline) throw new Error(`still running: ${left.join(', ')}`);
    for (const pid of left) kill(pid);
    await sleep(20);
  }
}

function readVariable(pid: number, name: string): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
  } catch {
    return undefined; // the process has exited
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // the process exited in the meantime
  }
}
