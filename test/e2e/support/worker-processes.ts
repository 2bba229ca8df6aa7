/** The processes of one worker, found as an outsider finds them: by what their environment says. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOf } from '../../support/end-workers.ts';

/** A killed process is gone within milliseconds; on a busy machine within seconds. */
const GONE_WITHIN_MS = 10_000;

/** The agent, whatever it started, and the runner that waits for it. */
export function processesOfWorker(state: string, worker: string): number[] {
  return processesOf(state).filter((pid) => variableOf(pid, 'LEGION_WORKER') === worker);
}

/** All of them at once and without a word, so that nobody writes down how it ended. */
export async function killWorker(state: string, worker: string): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS;
  for (
    let left = processesOfWorker(state, worker);
    left.length > 0;
    left = processesOfWorker(state, worker)
  ) {
    if (performance.now() > deadline) throw new Error(`still there: ${left.join(', ')}`);
    for (const pid of left) kill(pid);
    await sleep(20);
  }
}

function variableOf(pid: number, name: string): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
  } catch {
    return undefined; // it has ended
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself meanwhile
  }
}
