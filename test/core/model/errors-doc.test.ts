/** Compares docs/errors.md with the catalogue: every code and cell, in the same order. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../../src/core/model/fault.ts';

const DOCUMENT = join(import.meta.dirname, '../../../docs/errors.md');

test('docs/errors.md matches the catalogue (npm run docs:errors)', () => {
  const catalogue = Object.entries(CATALOGUE).map(([code, { http, nature, meaning, next }]) => [
    `\`${code}\``,
    String(http),
    nature,
    meaning,
    next,
  ]);
  const [heading, , ...rows] = tableIn(readFileSync(DOCUMENT, 'utf8'));
  expect(heading).toEqual(['Code', 'HTTP', 'Nature', 'Meaning', 'What to do']);
  expect(rows).toEqual(catalogue);
});

/** A "|" within a cell is written as "\|". */
function tableIn(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}
