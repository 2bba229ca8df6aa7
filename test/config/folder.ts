/** A folder of its own for each test of a file. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** The result names a path in the folder of the running test, or the folder itself; it is gone after it. */
export function useFolder(): (...parts: string[]) => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'legion-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (...parts) => join(folder, ...parts);
}
