/** Reads the real source tree and fails on every broken rule of the house. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaintsAbout } from './check.ts';
import { readSourceTree } from './source-tree.ts';

const ROOT = join(import.meta.dirname, '../..');

test('src/ keeps to the map of rooms and the rules of each', () => {
  const tree = readSourceTree(ROOT, 'src');
  expect(tree.size, 'source files found').toBeGreaterThan(0);
  expect(complaintsAbout(tree)).toEqual([]);
});
