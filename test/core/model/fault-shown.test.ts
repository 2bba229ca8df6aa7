import { describe, expect, test } from 'vitest';
import { quoteText } from '../../../src/core/model/fault.ts';

describe('external text in a message', () => {
  test.each([
    ['plain', '"plain"'],
    ['', '""'],
    ['say "hi"', '"say \\"hi\\""'],
    ['two\nlines', '"two\\nlines"'],
    ['\u001b[31mred', '"\\u001b[31mred"'],
    ['\u009b31m', '"\\u009b31m"'],
    ['\u202eevil', '"\\u202eevil"'],
    ['line\u2028end', '"line\\u2028end"'],
    ['é', '"\\u00e9"'],
    ['😀', '"\\ud83d\\ude00"'],
    ['\ud800', '"\\ud800"'],
  ])('%j is quoted and escaped', (text, message) => {
    expect(quoteText(text)).toBe(message);
  });

  test('is shown in full up to 40 characters and truncated beyond that', () => {
    expect(quoteText('a'.repeat(40))).toBe(`"${'a'.repeat(40)}"`);
    expect(quoteText('a'.repeat(41))).toBe(`"${'a'.repeat(40)}…"`);
  });
});
