import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';

const DOCS = resolve(import.meta.dirname, '../../docs');
const TEXT = readFileSync(resolve(DOCS, 'lessons.md'), 'utf8');
const LINKS = [...TEXT.matchAll(/\[`([^`]+)`\]\(([^)]+)\)/g)].map(([, name = '', path = '']) => ({
  name,
  path,
}));

test("every file linked in the lessons exists and matches the link's text", () => {
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

test('each of the sixteen complaints in the lessons has a table row, and every row links to a test', () => {
  const rows = TEXT.split('\n').filter((line) => /^\| \d+ /.test(line));
  const numbers = new Set(rows.map((row) => Number(/\d+/.exec(row)?.[0])));
  expect([...numbers]).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
  // Complaint 14 is covered by the next table.
  expect(rows.filter((row) => !row.startsWith('| 14 ') && !row.includes('](../test/'))).toEqual([]);
});
