/**
 * Fails a test that leaves something behind, such as a handle that keeps the process alive.
 * Compares the lists from before and after the test.
 */
import { afterEach, beforeEach, expect } from 'vitest';

const HANDLES: ReadonlySet<string> = new Set(['Timeout', 'TCPServerWrap', 'FSEventWrap']);
/**
 * Maximum turns of the event loop to wait. A closed handle is released, and a killed child is
 * reaped, within a few turns.
 */
const MAX_TURNS = 20;
const TURN_MS = 10;

export function failOnLeftovers(list: () => readonly string[]): void {
  let before: ReadonlySet<string> = new Set();
  const listNew = () => list().filter((name) => !before.has(name));

  beforeEach(() => {
    before = new Set(list());
  });

  afterEach(async () => {
    for (let turn = 0; turn < MAX_TURNS && listNew().length > 0; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    }
    expect(listNew(), 'left behind by this test').toEqual([]);
  });
}

export function listHandles(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => HANDLES.has(kind))
    .map((kind, index) => `${kind} #${index}`);
}
