/** A folder of its own for each test of a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** The result names the folder of the running test; it is gone after it. */
export function useFolder(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'legion-board-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return () => folder;
}
