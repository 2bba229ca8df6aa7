/** Fails any test that leaves a child process, a timer or a listening port behind it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect } from 'vitest';

const TASKS = '/proc/self/task';

let before: ReadonlySet<string> = new Set();

beforeEach(() => {
  before = new Set(leftovers());
});

afterEach(async () => {
  // A closed handle is released on the next turns of the event loop, and a killed child is reaped there too.
  for (let turn = 0; turn < 20 && newLeftovers().length > 0; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(newLeftovers(), 'left behind by this test').toEqual([]);
});

function newLeftovers(): string[] {
  return leftovers().filter((name) => !before.has(name));
}

function leftovers(): string[] {
  return [...children(), ...handles()];
}

/** Handles that keep a process alive; the runner's own channel to its parent is none of ours. */
function handles(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => kind === 'Timeout' || kind === 'TCPServerWrap' || kind === 'FSEventWrap')
    .map((kind, index) => `${kind} #${index}`);
}

/** From the kernel's own list, because this is asked for twice in each of thousands of tests. */
function children(): string[] {
  if (!existsSync(TASKS)) return []; // without a proc file system nobody can be found this way
  return readdirSync(TASKS).flatMap((task) => {
    const pids = childrenOf(task).trim();
    return pids === '' ? [] : pids.split(' ').map((pid) => `process ${pid}`);
  });
}

function childrenOf(task: string): string {
  try {
    return readFileSync(`${TASKS}/${task}/children`, 'utf8');
  } catch {
    return ''; // the thread ended while we looked
  }
}
