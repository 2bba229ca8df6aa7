/** Checks the real source tree against every architecture rule. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listViolations } from './check.ts';
import { readSourceTree } from './source-tree.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each(['src', 'web'])('%s/ obeys the import directions and the rules of its modules', (folder) => {
  const tree = readSourceTree(ROOT, folder);
  expect(tree.size, 'source files found').toBeGreaterThan(0);
  expect(listViolations(tree)).toEqual([]);
});
