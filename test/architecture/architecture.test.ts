/** Reads the real source tree and fails on every broken rule of the house. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaintsAbout } from './check.ts';
import { readSourceTree } from './source-tree.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each(['src', 'web'])('%s/ keeps to the map of rooms and the rules of each', (folder) => {
  const tree = readSourceTree(ROOT, folder);
  expect(tree.size, 'source files found').toBeGreaterThan(0);
  expect(complaintsAbout(tree)).toEqual([]);
});
