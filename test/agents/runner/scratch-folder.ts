/** A folder for one test, below the one of the whole run. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

export function scratchFolder(): string {
  return mkdtempSync(join(inject('scratch'), 'driving-'));
}
