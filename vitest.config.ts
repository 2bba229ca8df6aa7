import { defineConfig } from 'vitest/config';

// Real processes and real disks are slower than memory: 30 s is the ceiling of one test, not an expectation.
const TEST_TIMEOUT_MS = 30_000;

const { LEGION_TEST_EFFORT, LEGION_TEST_BROWSER } = process.env;
// They need a Chromium, which not every machine has: `npm run test:web` sees to that and has them, and nothing else does.
const inBrowser = LEGION_TEST_BROWSER === 'yes';
const BROWSER_TESTS = 'test/**/*.browser.test.ts';
// What takes long, and what needs the machine alone because it is promised in seconds: `npm run test:long` and `test:alone` have them.
const LONG_TESTS = ['test/**/*.long.test.ts', 'test/load/**', 'test/alone/**'];

export default defineConfig({
  test: {
    include: inBrowser ? [BROWSER_TESTS] : ['test/**/*.test.ts'],
    exclude: [...(LEGION_TEST_EFFORT === 'long' ? [] : LONG_TESTS), ...(inBrowser ? [] : [BROWSER_TESTS])],
    globalSetup: ['test/setup/build-legion.ts', 'test/setup/scratch.ts'],
    setupFiles: ['test/setup/leftovers.ts', ...(inBrowser ? ['test/setup/browser-leftovers.ts'] : [])],
    reporters: ['default', './test/reporters/closing-line.ts'],
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    // Twice the cores of a small machine: tests with real processes wait for them, and for the disk, half of their time.
    // A browser is busy by itself, and so is a daemon with its workers beside it.
    maxWorkers: inBrowser ? 2 : 4,
    // A worker per file would read and compile the same modules two hundred times, a quarter of the whole run.
    isolate: false,
  },
});
