/** Tests that terminal output is safe, aligned and truncated to the width of the terminal. */
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { padText, truncateText, wrapPage } from '../../../src/cli/present/fit.ts';
import { renderTable } from '../../../src/cli/present/table.ts';
import { sanitizeLine, sanitizeText } from '../../../src/cli/present/terminal.ts';
import { formatLocalMoment } from '../../../src/cli/present/words.ts';
import { formatDuration } from '../../../src/core/model/format.ts';

test('a sanitized line cannot move the cursor or reverse the text direction', () => {
  expect(sanitizeLine('a\u001b[2Jb\nc\u202ed\u2028e\ud800f')).toBe('a·[2Jb·c·d·e·f');
});

test('sanitized text keeps its line breaks and tabs', () => {
  expect(sanitizeText('a\r\nb\tc\u001b[0m\rd')).toBe('a\nb\tc·[0m·d');
});

test('truncates text to a number of columns, but never inside an emoji or a combining sequence', () => {
  const cuts = [
    truncateText('tea', 3),
    truncateText('coffee', 4),
    truncateText('日本語', 4),
    truncateText('tea', 1),
    truncateText('tea', 0),
    truncateText('🇩🇪🇫🇷 flags', 4),
    truncateText('👍🏽👍🏽 skin', 3),
    truncateText('⚠️ careful', 3),
    truncateText('e\u0301e\u0301e\u0301', 2),
  ];
  expect(cuts).toEqual(['tea', 'cof…', '日…', '…', '', '🇩🇪…', '👍🏽…', '⚠️…', 'e\u0301…']);
});

describe('a wrapped page', () => {
  test('breaks between words and aligns each line with the start of the text', () => {
    expect(wrapPage('why   it waits for an answer of a person\n  a longer bullet of text here', 28)).toBe(
      'why   it waits for an answer\n      of a person\n  a longer bullet of text\n  here',
    );
  });

  test('keeps its colours on each line', () => {
    expect(wrapPage('\u001b[2mwhy\u001b[22m  \u001b[31mit waits for a person\u001b[39m', 25)).toBe(
      '\u001b[2mwhy\u001b[22m  \u001b[31mit waits for a\u001b[39m\n     \u001b[31mperson\u001b[39m',
    );
  });

  test('does not break a word that is longer than a line', () => {
    const url = `https://example.com/${'a'.repeat(40)}`;
    expect(wrapPage(`see ${url} there`, 30)).toBe(`see\n${url}\nthere`);
  });

  test('is left unwrapped if the output is not a terminal', () => {
    const line = 'word '.repeat(100);
    expect(wrapPage(line, Number.POSITIVE_INFINITY)).toBe(line);
  });
});

describe('a table', () => {
  test('is aligned by displayed width, and its long cells are truncated', () => {
    expect(
      renderTable(
        ['A', 'B'],
        [
          ['日本', 'x'],
          ['🇩🇪', 'z'],
          ['a'.repeat(99), { text: 'y', style: 'red' }],
        ],
      ),
    ).toBe(
      [
        `${padText('A', 60)}  B`,
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

  test('wraps its widest cells between words on a narrow terminal', () => {
    expect(renderTable(STATUS.head, STATUS.rows, 60).split('\n')).toEqual([
      'ISSUE   STATUS       TITLE               WHY',
      'SHOP-1  In Progress  Greet every         A worker',
      '                     customer by name    implements it',
      '                                         since this',
      '                                         morning.',
      'SHOP-2  Todo         Sort the list',
      '',
    ]);
  });

  test('becomes a list of fields if its columns do not fit side by side without breaking words', () => {
    expect(renderTable(STATUS.head, STATUS.rows, 34).split('\n')).toEqual([
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

  test.each([60, 80, 120])('is at most %i terminal columns wide and breaks no word', (columns) => {
    const text = renderTable(STATUS.head, STATUS.rows, columns);
    const words = STATUS.rows.flat().flatMap((cell) => cell.split(' '));
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    for (const word of words) expect(text).toContain(word);
  });
});

test('a time span is shown in at most two units', () => {
  const spans = [-5, 59_999, 3_599_000, 7_500_000, 3_600_000, 90_000_000].map(formatDuration);
  expect(spans).toEqual(['0s', '59s', '59m', '2h 5m', '1h', '1d 1h']);
});

test('a time is shown in this machine’s time zone, and an invalid time is shown as a dash', () => {
  expect(formatLocalMoment(new Date(2026, 10, 15, 8, 5, 9).getTime())).toBe('2026-11-15 08:05:09');
  expect(formatLocalMoment(Number.NaN)).toBe('–');
});
