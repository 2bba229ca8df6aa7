/** Legion knows what it has written by a mark that nobody's text can forge or break. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { marked, unmarked } from '../../../../src/github/mark.ts';
import { asWritten } from '../../../../src/github/published-text.ts';
import { keyName } from '../../../../src/trackers/github/key-name.ts';
import { published } from '../../../../src/trackers/github/published-text.ts';
import { assertProperty } from '../../../support/property.ts';

/** Characters; what GitHub takes. */
const LIMIT = 65_536;

test('any text with any key comes back as it was, with its own mark', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('<!-- legion:other -->', '-->', '<!--', ''),
  );
  const check = fc.property(fc.string({ minLength: 1 }), text, (key, said) => {
    fc.pre(!said.includes('\0'));
    const name = keyName(key);
    const body = published(said, name);
    expect(unmarked(body).name).toBe(name);
    expect(asWritten(body)).toBe(said);
  });
  assertProperty(check, { numRuns: 500 });
});

test('two keys never have the same mark', () => {
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
    keyName(long),
    encodeURIComponent('a '),
  ];
  expect(new Set(keys.map(keyName)).size).toBe(keys.length);
  for (const key of keys) expect(keyName(key)).not.toMatch(/--|[<>\s]/);
});

test('only a mark at the very end counts', () => {
  expect(unmarked('<!-- legion:a -->\n\nand more')).toEqual({
    text: '<!-- legion:a -->\n\nand more',
    name: undefined,
  });
  expect(unmarked(marked('<!-- legion:a -->', 'b'))).toEqual({ text: '<!-- legion:a -->', name: 'b' });
  expect(unmarked('text\r\n\r\n<!-- legion:a -->\r\n').name).toBe('a');
});

test.each(['', '\ud800'])('the key %j is refused', (key) => {
  expect(() => keyName(key)).toThrow(expect.objectContaining({ code: 'input.invalid' }));
});

test('a text longer than GitHub takes is cut, says so, and keeps its mark', () => {
  const body = published('🧵'.repeat(LIMIT), 'key');
  expect(body.length).toBeLessThanOrEqual(LIMIT);
  expect(body.isWellFormed()).toBe(true);
  expect(unmarked(body).name).toBe('key');
  expect(asWritten(body)).toMatch(/🧵\n\n… \(cut: longer than GitHub takes\)$/u);
  expect(asWritten(published('x'.repeat(LIMIT - 100), 'key'))).toHaveLength(LIMIT - 100);
});

test.each(['@ada', 'see @acme/core', '(@ada)', 'a\n@ada', '> @ada said', '\\`@ada\\`', '`x` @ada', '`@ada'])(
  '%j notifies nobody',
  (text) => {
    expect(published(text, 'key')).not.toMatch(/@[a-z]/);
    expect(asWritten(published(text, 'key'))).toBe(text);
  },
);

test.each(['`npm i @acme/core`', '```\nnpm i @acme/core\n```', 'ada@example.com', 'a@b'])(
  '%j can be copied',
  (text) => {
    expect(published(text, 'key')).toContain(text);
  },
);
