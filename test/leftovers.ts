/** Fails any test that leaves a child process, a timer or a listening port behind it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect } from 'vitest';

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

function children(): string[] {
  if (!existsSync('/proc')) return []; // without a proc file system nobody can be found this way
  const found: string[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = parentOf(entry);
    if (parent === process.pid) found.push(`process ${entry}`);
  }
  return found;
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // it ended while we looked
  }
}
