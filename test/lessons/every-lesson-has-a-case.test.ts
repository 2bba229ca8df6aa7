import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';

const DOCS = resolve(import.meta.dirname, '../../docs');
const TEXT = readFileSync(resolve(DOCS, 'lessons.md'), 'utf8');
const LINKS = [...TEXT.matchAll(/\[`([^`]+)`\]\(([^)]+)\)/g)].map(([, name = '', path = '']) => ({
  name,
  path,
}));

test('every file the lessons name is there, under the name they give it', () => {
  expect(LINKS.length).toBeGreaterThan(50);
  expect(LINKS.filter(({ path }) => !existsSync(resolve(DOCS, path)))).toEqual([]);
  expect(
    LINKS.filter(
      ({ name, path }) =>
        name !== basename(path).replace(/(?:(?:\.(?:long|integration|e2e))?\.test)?\.ts$/, '') &&
        name !== basename(path),
    ),
  ).toEqual([]);
});

test('every one of the sixteen complaints has a row, and every row a case', () => {
  const rows = TEXT.split('\n').filter((line) => /^\| \d+ /.test(line));
  const numbers = new Set(rows.map((row) => Number(/\d+/.exec(row)?.[0])));
  expect([...numbers]).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
  // The fourteenth is the next table.
  expect(rows.filter((row) => !row.startsWith('| 14 ') && !row.includes('](../test/'))).toEqual([]);
});
