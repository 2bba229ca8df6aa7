/** Fails a test that leaves a child process, a timer or a listening port behind. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { failOnLeftovers, listHandles } from './fail-on-leftovers.ts';

const TASKS = '/proc/self/task';

failOnLeftovers(() => [...listChildren(), ...listHandles()]);

/** Reads the kernel's list, because starting `ps` twice for each of thousands of tests is slow. */
function listChildren(): string[] {
  if (!existsSync(TASKS)) return []; // Needs a proc file system.
  return readdirSync(TASKS).flatMap((task) => {
    const pids = readChildren(task).trim();
    return pids === '' ? [] : pids.split(' ').map((pid) => `process ${pid}`);
  });
}

function readChildren(task: string): string {
  try {
    return readFileSync(`${TASKS}/${task}/children`, 'utf8');
  } catch {
    return ''; // The thread has ended.
  }
}
