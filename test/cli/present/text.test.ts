/** What a terminal is shown: safe, aligned, and cut to its columns. */
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { cutTo, padTo, wrapPage } from '../../../src/cli/present/fit.ts';
import { safeLine, safeText } from '../../../src/cli/present/safe.ts';
import { table } from '../../../src/cli/present/table.ts';
import { moment } from '../../../src/cli/present/time.ts';
import { span } from '../../../src/domain/format.ts';

test('nothing in a line can move the cursor or turn the text round', () => {
  expect(safeLine('a\u001b[2Jb\nc\u202ed\u2028e\ud800f')).toBe('a·[2Jb·c·d·e·f');
});

test('a text of several lines keeps its lines and tabs', () => {
  expect(safeText('a\r\nb\tc\u001b[0m\rd')).toBe('a\nb\tc·[0m·d');
});

test('cuts a text to so many columns, and never inside of a picture or a letter with its marks', () => {
  const cuts = [
    cutTo('tea', 3),
    cutTo('coffee', 4),
    cutTo('日本語', 4),
    cutTo('tea', 1),
    cutTo('tea', 0),
    cutTo('🇩🇪🇫🇷 flags', 4),
    cutTo('👍🏽👍🏽 skin', 3),
    cutTo('⚠️ careful', 3),
    cutTo('e\u0301e\u0301e\u0301', 2),
  ];
  expect(cuts).toEqual(['tea', 'cof…', '日…', '…', '', '🇩🇪…', '👍🏽…', '⚠️…', 'e\u0301…']);
});

describe('a page', () => {
  test('is wrapped between words, below the beginning of its text', () => {
    expect(wrapPage('why   it waits for an answer of a person\n  a longer bullet of text here', 28)).toBe(
      'why   it waits for an answer\n      of a person\n  a longer bullet of text\n  here',
    );
  });

  test('keeps its colours in each of its lines', () => {
    expect(wrapPage('\u001b[2mwhy\u001b[22m  \u001b[31mit waits for a person\u001b[39m', 25)).toBe(
      '\u001b[2mwhy\u001b[22m  \u001b[31mit waits for a\u001b[39m\n     \u001b[31mperson\u001b[39m',
    );
  });

  test('keeps a word whole that is longer than a line', () => {
    const url = `https://example.com/${'a'.repeat(40)}`;
    expect(wrapPage(`see ${url} there`, 30)).toBe(`see\n${url}\nthere`);
  });

  test('is left alone where no terminal shows it', () => {
    const line = 'word '.repeat(100);
    expect(wrapPage(line, Number.POSITIVE_INFINITY)).toBe(line);
  });
});

describe('a table', () => {
  test('is aligned by what a terminal shows, and a long cell is cut', () => {
    expect(
      table(
        ['A', 'B'],
        [
          ['日本', 'x'],
          ['🇩🇪', 'z'],
          ['a'.repeat(99), { text: 'y', style: 'red' }],
        ],
      ),
    ).toBe(
      [
        `${padTo('A', 60)}  B`,
        `日本${' '.repeat(56)}  x`,
        `🇩🇪${' '.repeat(58)}  z`,
        `${'a'.repeat(59)}…  y`,
        '',
      ].join('\n'),
    );
  });

  const STATUS = {
    head: ['ISSUE', 'STATUS', 'TITLE', 'WHY'],
    rows: [
      ['SHOP-1', 'In Progress', 'Greet every customer by name', 'A worker implements it since this morning.'],
      ['SHOP-2', 'Todo', 'Sort the list', ''],
    ],
  };

  test('wraps its widest cells between words where the terminal is narrow', () => {
    expect(table(STATUS.head, STATUS.rows, 60).split('\n')).toEqual([
      'ISSUE   STATUS       TITLE               WHY',
      'SHOP-1  In Progress  Greet every         A worker',
      '                     customer by name    implements it',
      '                                         since this',
      '                                         morning.',
      'SHOP-2  Todo         Sort the list',
      '',
    ]);
  });

  test('becomes a list of fields where its words do not fit next to each other', () => {
    expect(table(STATUS.head, STATUS.rows, 34).split('\n')).toEqual([
      'SHOP-1',
      '  STATUS  In Progress',
      '  TITLE   Greet every customer by',
      '          name',
      '  WHY     A worker implements it',
      '          since this morning.',
      'SHOP-2',
      '  STATUS  Todo',
      '  TITLE   Sort the list',
      '',
    ]);
  });

  test.each([60, 80, 120])('takes at most %i columns and breaks no word', (columns) => {
    const text = table(STATUS.head, STATUS.rows, columns);
    const words = STATUS.rows.flat().flatMap((cell) => cell.split(' '));
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    for (const word of words) expect(text).toContain(word);
  });
});

test('a span has two units at the most', () => {
  const spans = [-5, 59_999, 3_599_000, 7_500_000, 3_600_000, 90_000_000].map(span);
  expect(spans).toEqual(['0s', '59s', '59m', '2h 5m', '1h', '1d 1h']);
});

test('a time is shown in the time of this machine, and no time as none', () => {
  expect(moment(new Date(2026, 10, 15, 8, 5, 9).getTime())).toBe('2026-11-15 08:05:09');
  expect(moment(Number.NaN)).toBe('–');
});
