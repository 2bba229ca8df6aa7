/** Records how long each test file took, for `npm run test:slowest`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../..');
export const DURATIONS_FILE = join(ROOT, 'test-durations.json');

export interface TestFileDuration {
  readonly project: string;
  readonly tests: number;
  /** Time to load the file's modules and to run its hooks and tests. */
  readonly ms: number;
}

export type TestDurations = Readonly<Record<string, TestFileDuration>>;

export default class Durations implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const measured = modules.map((module) => [module.relativeModuleId, measure(module)] as const);
    // A run of only some files keeps the durations of all other files that still exist.
    const known = Object.entries(readDurations()).filter(([path]) => existsSync(join(ROOT, path)));
    const durations: TestDurations = Object.fromEntries([...known, ...measured]);
    writeFileSync(DURATIONS_FILE, `${JSON.stringify(durations, undefined, 2)}\n`);
  }
}

export function readDurations(): TestDurations {
  return existsSync(DURATIONS_FILE) ? JSON.parse(readFileSync(DURATIONS_FILE, 'utf8')) : {};
}

function measure(module: TestModule): TestFileDuration {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return {
    project: module.project.name,
    tests: [...module.children.allTests()].length,
    ms: Math.round(collectDuration + setupDuration + duration),
  };
}
