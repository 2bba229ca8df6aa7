/** Provides a temporary directory for a test. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Returns a directory that is removed after the run. */
export function ownFolder(): string {
  return mkdtempSync(join(inject('scratch'), 'envoy-'));
}
