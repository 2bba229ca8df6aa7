/** Provides a temporary directory for each test of a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Returns the path of the running test's directory, which is removed afterwards. */
export function useFolder(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'legion-board-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return () => folder;
}
