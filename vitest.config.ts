import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { SlowestFirst } from './test/setup/slowest-first.ts';

// Upper limit for one test. Real processes and disks are slower than memory.
const TEST_TIMEOUT_MS = 30_000;
// Longer than Playwright waits for an element, so that a failure names the element.
const BROWSER_TIMEOUT_MS = 60_000;
// A poll waits for a fact and promises no speed. The default of one second is too short for a
// browser on a busy machine.
const POLL_TIMEOUT_MS = 10_000;
// Twice the cores of a small machine, because tests spend half their time waiting for processes and
// the disk.
const MAX_WORKERS = 4;
// A browser alone keeps a core busy, and so does a daemon with its workers.
const MAX_BROWSER_WORKERS = 2;

// Starting a process copies its parent's page tables, which are smaller with large pages.
const LARGE_PAGES = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

const INTEGRATION = 'test/**/*.integration.test.ts';
const E2E = 'test/**/*.e2e.test.ts';
const BROWSER = 'test/**/*.browser.test.ts';
const LONG = ['test/**/*.long.test.ts', 'test/load/**/*.test.ts'];
const ALONE = 'test/alone/**/*.test.ts';

const COMMON_SETUP = ['test/setup/compile-cache.ts', 'test/setup/temporary-folder.ts'];
const SETUP = [...COMMON_SETUP, 'test/setup/leftovers.ts'];

// The name of a test file selects its project. CONTRIBUTING.md lists the names.
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', './test/reporters/durations.ts', './test/reporters/closing-line.ts'],
    // Node runs TypeScript directly. Transforming every module first took a quarter of the run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      project('unit', {
        include: ['test/**/*.test.ts'],
        exclude: [INTEGRATION, E2E, BROWSER, ...LONG, ALONE],
        globalSetup: ['test/setup/scratch.ts'],
        setupFiles: [...COMMON_SETUP, 'test/setup/forbid-processes.ts', 'test/setup/leftover-timers.ts'],
      }),
      project('integration', {
        include: [INTEGRATION],
        setupFiles: ['test/setup/large-pages.ts', ...SETUP],
        env: LARGE_PAGES,
      }),
      project('e2e', { include: [E2E], sequence: { groupOrder: 1 } }),
      project('browser', {
        include: [BROWSER],
        setupFiles: [...SETUP, 'test/setup/browser-leftovers.ts'],
        testTimeout: BROWSER_TIMEOUT_MS,
        hookTimeout: BROWSER_TIMEOUT_MS,
        maxWorkers: MAX_BROWSER_WORKERS,
        sequence: { groupOrder: 2 },
      }),
      project('long', { include: LONG, sequence: { groupOrder: 3 } }),
      // One file at a time, because these tests measure seconds and megabytes.
      project('alone', { include: [ALONE], maxWorkers: 1, sequence: { groupOrder: 4 } }),
    ],
  },
});

function project(
  name: string,
  options: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      globalSetup: ['test/setup/build-legion.ts', 'test/setup/scratch.ts'],
      setupFiles: SETUP,
      testTimeout: TEST_TIMEOUT_MS,
      hookTimeout: TEST_TIMEOUT_MS,
      expect: { poll: { timeout: POLL_TIMEOUT_MS } },
      maxWorkers: MAX_WORKERS,
      // A worker per file would load and compile the same modules hundreds of times.
      isolate: false,
      ...options,
    },
  };
}
