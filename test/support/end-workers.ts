/**
 * Ends workers that a test left running. Recognises them only by the test's state directory in
 * their environment.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Maximum time for a killed process and its runner to disappear. It takes milliseconds, or seconds
 * on a busy machine.
 */
const GONE_WITHIN_MS = 10_000;

export async function endWorkers(state: string): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (let left = listProcesses(state); left.length > 0; left = listProcesses(state)) {
    if (performance.now() > deadline) throw new Error(`still running: ${left.join(', ')}`);
    for (const pid of left) kill(pid);
    await sleep(20);
  }
}

/** Returns workers, their children and their runners, which all have the same environment. */
export function listProcesses(state: string): number[] {
  return processesWith(`LEGION_STATE=${state}`);
}

/** Returns the processes that have this entry (`NAME=VALUE`) in their environment. */
export function processesWith(variable: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .map(Number)
    .filter((pid) => environmentOf(pid).includes(`${variable}\0`));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return ''; // it has exited, or belongs to another user
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // the process exited in the meantime
  }
}
