/** Keeps the code that Node has compiled for tests, so that each worker of each run compiles only what changed. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { afterAll } from 'vitest';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/legion-tests/compiled'));

// Vitest ends its workers by a signal, at which Node would not write the cache.
afterAll(() => flushCompileCache());
