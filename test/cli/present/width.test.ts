/**
 * Tests that the fast path for common characters measures the same width as the library
 * string-width.
 */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { measureWidth } from '../../../src/cli/present/fit.ts';
import { assertProperty } from '../../support/property.ts';

/** The tested range covers Latin letters and punctuation, including both ends of the fast path. */
const LAST_CODE_POINT = 0x2_100;

test('gives every character below U+2100 the same width as the string-width package, alone and next to other characters', () => {
  for (let code = 0; code < LAST_CODE_POINT; code += 1) {
    const character = String.fromCodePoint(code);
    for (const text of [character, `a${character}b`, `${character}${character}`])
      expect(measureWidth(text), code.toString(16)).toBe(stringWidth(text));
  }
});

test('gives any text the same width as the string-width package', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  assertProperty(fc.property(text, (each) => measureWidth(each) === stringWidth(each)));
});
