/** Ends the workers a test leaves behind: by their environment, which names the test's own state folder, and by nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A killed process is gone within milliseconds, its runner a moment later; on a busy machine within seconds. */
const GONE_WITHIN_MS = 10_000;

export async function endWorkersOf(state: string): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (let left = processesOf(state); left.length > 0; left = processesOf(state)) {
    if (performance.now() > deadline) throw new Error(`still there: ${left.join(', ')}`);
    for (const pid of left) kill(pid);
    await sleep(20);
  }
}

/** Workers and whatever they started; the runner that waits for one has the same environment. */
export function processesOf(state: string): number[] {
  return processesWith(`LEGION_STATE=${state}`);
}

/** `variable` is an entry of their environment, as `NAME=VALUE`. */
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
    return ''; // it has ended, or is not ours to read
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself meanwhile
  }
}
