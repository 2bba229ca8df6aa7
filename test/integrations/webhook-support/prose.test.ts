/** Tests extracting the author's own text from a comment, without code and quotes. */
import { expect, test } from 'vitest';
import { extractOwnWords } from '../../../src/integrations/webhook-support/mentions.ts';

const said = (...lines: string[]) => extractOwnWords(lines.join('\n'));

test.each<[string, string[]]>([
  ['a fence', ['```', 'HIDDEN', '```']],
  ['a fence with a language', ['```ts', 'HIDDEN', '```']],
  ['a fence of tildes', ['~~~', 'HIDDEN', '```', 'HIDDEN', '~~~']],
  ['a longer fence', ['````', '```', 'HIDDEN', '```', 'HIDDEN', '````']],
  ['a fence with text after its closing characters', ['```', '``` x', 'HIDDEN', '```']],
  ['an unclosed fence', ['```', 'HIDDEN', '', 'HIDDEN']],
  ['an indented fence', ['   ```', 'HIDDEN', '   ```']],
  ['a quote', ['> HIDDEN', '>', '> HIDDEN']],
  ['a quote that continues without its marker', ['> quoted', 'HIDDEN']],
  ['a quote within a quote', ['>> HIDDEN']],
  ['a fence within a quote', ['> ```', '> HIDDEN', '> ```']],
  ['indented code', ['text', '', '    HIDDEN', '    HIDDEN']],
  ['code indented by a tab', ['', '\tHIDDEN']],
  ['a code span', ['see `HIDDEN` there']],
  ['a code span with two backticks', ['see ``a ` HIDDEN`` there']],
  ['a code span over two lines', ['see `a', 'HIDDEN` there']],
  ['a comment', ['<!-- HIDDEN -->']],
  ['an unclosed comment', ['<!-- HIDDEN', '', 'HIDDEN']],
  ['code in HTML', ['<pre>', 'HIDDEN', '</pre>', '<code class="x">HIDDEN</code>']],
  ['a quote in HTML', ['<blockquote>HIDDEN', '', 'HIDDEN</blockquote>']],
])('excludes %s from the author’s own words', (_, lines) => {
  expect(said(...lines)).not.toContain('HIDDEN');
  expect(said(...lines.map((line) => `${line}\r`))).not.toContain('HIDDEN');
});

test.each<[string, string[]]>([
  ['text after a fence', ['```', 'code', '```', 'SHOWN']],
  ['text after a quote and a blank line', ['> quote', '', 'SHOWN']],
  ['an indented continuation line', ['text', '    SHOWN']],
  ['text between code spans', ['`a` SHOWN `b`']],
  ['text after an unmatched backtick', ['a ` SHOWN']],
  ['text in a list', ['- SHOWN', '1. x']],
  ['a comparison', ['a > b SHOWN']],
  ['emphasized text', ['**SHOWN**']],
  ['text after a comment', ['<!-- x --> SHOWN']],
])('keeps %s in the author’s own words', (_, lines) => {
  expect(said(...lines)).toContain('SHOWN');
});

test('parses a very long text of special characters quickly', () => {
  const begun = performance.now();
  for (const piece of ['`', '> ', '<!--', '<pre>', '``` \n', '`a``', '    \n'])
    extractOwnWords(piece.repeat(20_000));
  expect(performance.now() - begun).toBeLessThan(5_000);
});
