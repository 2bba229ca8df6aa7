/**
 * Ends every test run with the reasons for skipped tests and the plain line `N passed, N failed`,
 * which any CI can read.
 */
import type { Reporter, TestModule } from 'vitest/node';

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    // Counts errors outside any test (a failed import, a leftover process), so that the run does
    // not end with "0 failed".
    let failed = errors.length;
    const skipped = new Map<string, number>();
    for (const module of modules) {
      failed += module.errors().length;
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === 'passed') passed += 1;
        else if (result.state === 'failed') failed += 1;
        // Skipped tests without a note were excluded by a filter or because there is no browser.
        else if (result.state === 'skipped' && result.note !== undefined)
          skipped.set(result.note, (skipped.get(result.note) ?? 0) + 1);
      }
    }
    for (const [reason, tests] of skipped) process.stdout.write(`\n${tests} skipped: ${reason}`);
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}
