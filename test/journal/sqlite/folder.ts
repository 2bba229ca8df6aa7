/** Provides a separate folder for each test of a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Returns a getter for the running test's folder. The folder is removed after the test. */
export function useFolder(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'legion-journal-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return () => folder;
}
