/** Creates a folder for each test that works with files. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Returns a function for paths in the running test's folder, which is removed after the test. */
export function useFolder(): (...parts: string[]) => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'legion-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (...parts) => join(folder, ...parts);
}
