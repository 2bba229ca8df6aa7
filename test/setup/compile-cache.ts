/** Enables Node's compile cache for tests, so that each worker compiles only what changed. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { afterAll } from 'vitest';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/legion-tests/compiled'));

// Vitest ends its workers with a signal, so Node would not write the cache by itself.
afterAll(() => flushCompileCache());
