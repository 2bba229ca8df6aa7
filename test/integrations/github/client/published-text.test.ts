/** Tests that Legion recognizes its own texts by a marker that no text can forge or break. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  appendMark,
  buildPublishedText,
  restoreWrittenText,
  splitMark,
  toKeyName,
} from '../../../../src/integrations/github/client/published-text.ts';
import { assertProperty } from '../../../support/property.ts';

/** GitHub's limit for a text, in characters. */
const LIMIT = 65_536;

test('reads back any text and its marker unchanged, for any key', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('<!-- legion:other -->', '-->', '<!--', ''),
  );
  const check = fc.property(fc.string({ minLength: 1 }), text, (key, said) => {
    fc.pre(!said.includes('\0'));
    const name = toKeyName(key);
    const body = buildPublishedText(said, name);
    expect(splitMark(body).name).toBe(name);
    expect(restoreWrittenText(body)).toBe(said);
  });
  assertProperty(check, { numRuns: 500 });
});

test('never gives two keys the same marker', () => {
  const long = 'x'.repeat(5_000);
  const keys = [
    'a',
    'A',
    'a ',
    'a-->b',
    'a--b',
    '#',
    long,
    `${long}x`,
    toKeyName(long),
    encodeURIComponent('a '),
  ];
  expect(new Set(keys.map(toKeyName)).size).toBe(keys.length);
  for (const key of keys) expect(toKeyName(key)).not.toMatch(/--|[<>\s]/);
});

test('recognizes a marker only at the end of a text', () => {
  expect(splitMark('<!-- legion:a -->\n\nand more')).toEqual({
    text: '<!-- legion:a -->\n\nand more',
    name: undefined,
  });
  expect(splitMark(appendMark('<!-- legion:a -->', 'b'))).toEqual({ text: '<!-- legion:a -->', name: 'b' });
  expect(splitMark('text\r\n\r\n<!-- legion:a -->\r\n').name).toBe('a');
});

test.each(['', '\ud800'])('rejects the key %j', (key) => {
  expect(() => toKeyName(key)).toThrow(expect.objectContaining({ code: 'input.invalid' }));
});

test('truncates a text that is too long for GitHub, adds a note and keeps the marker', () => {
  const body = buildPublishedText('🧵'.repeat(LIMIT), 'key');
  expect(body.length).toBeLessThanOrEqual(LIMIT);
  expect(body.isWellFormed()).toBe(true);
  expect(splitMark(body).name).toBe('key');
  expect(restoreWrittenText(body)).toMatch(/🧵\n\n… \(truncated: longer than GitHub allows\)$/u);
  expect(restoreWrittenText(buildPublishedText('x'.repeat(LIMIT - 100), 'key'))).toHaveLength(LIMIT - 100);
});

test.each(['@ada', 'see @acme/core', '(@ada)', 'a\n@ada', '> @ada said', '\\`@ada\\`', '`x` @ada', '`@ada'])(
  'publishes %j without a notification',
  (text) => {
    expect(buildPublishedText(text, 'key')).not.toMatch(/@[a-z]/);
    expect(restoreWrittenText(buildPublishedText(text, 'key'))).toBe(text);
  },
);

test.each(['`npm i @acme/core`', '```\nnpm i @acme/core\n```', 'ada@example.com', 'a@b'])(
  'publishes %j unchanged',
  (text) => {
    expect(buildPublishedText(text, 'key')).toContain(text);
  },
);
