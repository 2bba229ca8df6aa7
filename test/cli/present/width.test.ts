/** Measuring text is quick for the usual letters, and always agrees with the library. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { measureWidth } from '../../../src/cli/present/fit.ts';
import { assertProperty } from '../../support/property.ts';

/** Latin letters and punctuation, where the shortcut begins and ends. */
const LAST_CODE_POINT = 0x2_100;

test('measures every character below U+2100 as string-width does, alone and next to others', () => {
  for (let code = 0; code < LAST_CODE_POINT; code += 1) {
    const character = String.fromCodePoint(code);
    for (const text of [character, `a${character}b`, `${character}${character}`])
      expect(measureWidth(text), code.toString(16)).toBe(stringWidth(text));
  }
});

test('measures any text as string-width does', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  assertProperty(fc.property(text, (each) => measureWidth(each) === stringWidth(each)));
});
