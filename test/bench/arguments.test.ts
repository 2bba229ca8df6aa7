import { expect, test } from 'vitest';
import { readBenchArguments } from '../../bench/arguments.ts';

const KNOWN = ['pure', 'journal', 'issue'];

test('bench arguments default to every benchmark in its full form', () => {
  expect(readBenchArguments([], KNOWN)).toEqual({ json: false, short: false, help: false, names: KNOWN });
});

test('bench arguments keep the order of the table, whatever order --only names them in', () => {
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
