/** A folder of a test's own. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Gone with the run. */
export function ownFolder(): string {
  return mkdtempSync(join(inject('scratch'), 'envoy-'));
}
