/** What a terminal is shown: safe, aligned, and cut to its columns. */
import { expect, test } from 'vitest';
import { safeLine, safeText } from '../../../src/cli/present/safe.ts';
import { table } from '../../../src/cli/present/table.ts';
import { moment } from '../../../src/cli/present/time.ts';
import { cutTo, padTo, widthOf } from '../../../src/cli/present/width.ts';
import { span } from '../../../src/domain/span.ts';

test('nothing in a line can move the cursor or turn the text round', () => {
  expect(safeLine('a\u001b[2Jb\nc\u202ed\u2028e\ud800f')).toBe('a·[2Jb·c·d·e·f');
});

test('a text of several lines keeps its lines and tabs', () => {
  expect(safeText('a\r\nb\tc\u001b[0m\rd')).toBe('a\nb\tc·[0m·d');
});

test('letters take none, one or two columns', () => {
  const widths = ['tea', '日本', 'e\u0301', '🍵', ''].map(widthOf);
  expect(widths).toEqual([3, 4, 1, 2, 0]);
});

test('a text is cut to so many columns, and says so', () => {
  const cuts = [cutTo('tea', 3), cutTo('coffee', 4), cutTo('日本語', 4), cutTo('tea', 1), cutTo('tea', 0)];
  expect(cuts).toEqual(['tea', 'cof…', '日…', '…', '']);
});

test('a table is aligned by what a terminal shows, and a long cell is cut', () => {
  expect(
    table(
      ['A', 'B'],
      [
        ['日本', 'x'],
        ['a'.repeat(99), { text: 'y', style: 'red' }],
      ],
    ),
  ).toBe([`${padTo('A', 60)}  B`, `${padTo('日本', 60)}  x`, `${'a'.repeat(59)}…  y`, ''].join('\n'));
});

test('the last column of a table ends with the terminal, unless too little of it could be seen', () => {
  const rows = [['a'.repeat(10), 'b'.repeat(30)]];
  expect(table(['A', 'B'], rows, 40).split('\n')[1]).toBe(`${'a'.repeat(10)}  ${'b'.repeat(27)}…`);
  expect(table(['A', 'B'], rows, 15).split('\n')[1]).toBe(`${'a'.repeat(10)}  ${'b'.repeat(11)}…`);
});

test('a span has two units at the most', () => {
  const spans = [-5, 59_999, 3_599_000, 7_500_000, 3_600_000, 90_000_000].map(span);
  expect(spans).toEqual(['0s', '59s', '59m', '2h 5m', '1h', '1d 1h']);
});

test('a time is shown in the time of this machine, and no time as none', () => {
  expect(moment(new Date(2026, 10, 15, 8, 5, 9).getTime())).toBe('2026-11-15 08:05:09');
  expect(moment(Number.NaN)).toBe('–');
});
