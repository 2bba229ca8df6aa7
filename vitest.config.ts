import { defineConfig } from 'vitest/config';

// Real processes and real disks are slower than memory: 30 s is the ceiling of one test, not an expectation.
const TEST_TIMEOUT_MS = 30_000;

const { LEGION_TEST_EFFORT } = process.env;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Fifty issues at once take a minute, and what is promised in seconds needs the machine alone: `npm run test:long` has them.
    exclude: LEGION_TEST_EFFORT === 'long' ? [] : ['test/load/**', 'test/alone/**'],
    globalSetup: ['test/installed/build.ts', 'test/scratch.ts'],
    setupFiles: ['test/leftovers.ts'],
    reporters: ['default', './test/closing-line.ts'],
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    // One more than the two cores of a small machine: tests with real processes wait for the disk more than they compute.
    maxWorkers: 3,
    // A worker per file would read and compile the same modules two hundred times, a quarter of the whole run.
    isolate: false,
  },
});
