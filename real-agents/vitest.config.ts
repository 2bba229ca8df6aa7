import { defineConfig } from 'vitest/config';

// A real agent takes seconds to start and to end where the machine is busy: the ceiling of one test, not an expectation.
const TEST_TIMEOUT_MS = 60_000;

// What waits for limits and for providers that refuse, and each turn of the slowest of the three, take longer than all the rest:
// `npm run test:agents -- --long`.
const { LEGION_TEST_EFFORT } = process.env;
const isLong = LEGION_TEST_EFFORT === 'long';

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from there.
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['real-agents/test/**/*.test.ts'],
    exclude: isLong ? [] : ['real-agents/test/**/*.long.test.ts'],
    globalSetup: ['test/setup/build-legion.ts', 'test/setup/scratch.ts'],
    setupFiles: ['test/setup/leftovers.ts'],
    reporters: ['default', './test/reporters/closing-line.ts'],
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    // Agents wait for their starts and for each other half of the time; each of them takes some hundred megabytes.
    maxWorkers: 3,
  },
});
