import { defineConfig } from 'vitest/config';

// Upper limit for one test, not its usual duration. A real agent takes seconds to start and exit on
// a busy machine.
const TEST_TIMEOUT_MS = 60_000;

// `.long` tests run only with `npm run test:agents -- --long`. They include the tests that wait for
// limits and for refusing providers, and all turn tests of the slowest agent.
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
    // Agents spend half of their time waiting to start or waiting for each other, and each of them
    // takes a few hundred megabytes.
    maxWorkers: 3,
  },
});
