import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { SLOWEST_FILES, SlowestFirst } from './slowest-first.ts';

const ROOT = join(import.meta.dirname, '../..');

test('the list of the slowest test files contains only existing files', () => {
  expect(SLOWEST_FILES.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the slowest test files run first in their project, and the files of a project stay together', async () => {
  const nothing = () => undefined;
  const cache = { getFileTestResults: nothing, getFileStats: nothing };
  const sequencer = new SlowestFirst({ cache, config: { root: ROOT } } as unknown as Vitest);
  const [integration, search] = [
    'test/integrations/github/forge/hostile.integration.test.ts',
    'test/sim/simulation.test.ts',
  ];
  const sorted = await sequencer.sort([
    describeFile('unit', 'test/a.test.ts'),
    describeFile('integration', 'test/b.integration.test.ts'),
    describeFile('unit', search),
    describeFile('integration', integration),
  ]);
  expect(sorted.map(({ moduleId }) => moduleId.slice(ROOT.length + 1))).toEqual([
    integration,
    'test/b.integration.test.ts',
    search,
    'test/a.test.ts',
  ]);
});

function describeFile(name: string, path: string): TestSpecification {
  const project = { name, config: { isolate: false, sequence: { groupOrder: 0 } } };
  return { project, moduleId: join(ROOT, path) } as unknown as TestSpecification;
}
