import { expect, test } from 'vitest';
import { readBenchArguments } from '../../bench/arguments.ts';

const KNOWN = ['pure', 'journal', 'issue'];

test('bench arguments select the full version of every benchmark by default', () => {
  expect(readBenchArguments([], KNOWN)).toEqual({ json: false, short: false, help: false, names: KNOWN });
});

test("bench arguments keep the table's order, whatever the order of the names after --only", () => {
  const { names, short } = readBenchArguments(['--only', 'issue', '--short', '--only', 'pure'], KNOWN);
  expect(names).toEqual(['pure', 'issue']);
  expect(short).toBe(true);
});

test('bench arguments refuse an unknown benchmark and list the valid ones', () => {
  expect(() => readBenchArguments(['--only', 'life'], KNOWN)).toThrow(
    'Unknown benchmark "life". Valid: pure, journal, issue.',
  );
});

test.each([['--loud'], ['--only'], ['issue']])('bench arguments refuse %s', (argument) => {
  expect(() => readBenchArguments([argument], KNOWN)).toThrow();
});
