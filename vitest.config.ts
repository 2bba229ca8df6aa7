import { defineConfig } from 'vitest/config';

// Real processes and real disks are slower than memory: 30 s is the ceiling of one test, not an expectation.
const TEST_TIMEOUT_MS = 30_000;

const { LEGION_TEST_EFFORT } = process.env;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What takes long, and what needs the machine alone because it is promised in seconds: `npm run test:long` and `test:alone` have them.
    exclude: LEGION_TEST_EFFORT === 'long' ? [] : ['test/**/*.long.test.ts', 'test/load/**', 'test/alone/**'],
    globalSetup: ['test/installed/build.ts', 'test/scratch.ts'],
    setupFiles: ['test/leftovers.ts'],
    reporters: ['default', './test/closing-line.ts'],
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    // Twice the cores of a small machine: tests with real processes wait for them, and for the disk, half of their time.
    maxWorkers: 4,
    // A worker per file would read and compile the same modules two hundred times, a quarter of the whole run.
    isolate: false,
  },
});
