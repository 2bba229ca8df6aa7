/** Creates a directory for one test inside the test run's directory. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

export function scratchFolder(): string {
  return mkdtempSync(join(inject('scratch'), 'driving-'));
}
