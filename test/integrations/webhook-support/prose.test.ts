/** What of a comment are its author's own words. */
import { expect, test } from 'vitest';
import { ownWords } from '../../../src/envoy/prose.ts';

const said = (...lines: string[]) => ownWords(lines.join('\n'));

test.each<[string, string[]]>([
  ['a fence', ['```', 'HIDDEN', '```']],
  ['a fence with a language', ['```ts', 'HIDDEN', '```']],
  ['a fence of waves', ['~~~', 'HIDDEN', '```', 'HIDDEN', '~~~']],
  ['a longer fence', ['````', '```', 'HIDDEN', '```', 'HIDDEN', '````']],
  ['a fence with text at its closing marks', ['```', '``` x', 'HIDDEN', '```']],
  ['a fence nobody closes', ['```', 'HIDDEN', '', 'HIDDEN']],
  ['a fence that is set in', ['   ```', 'HIDDEN', '   ```']],
  ['a quote', ['> HIDDEN', '>', '> HIDDEN']],
  ['a quote that goes on', ['> quoted', 'HIDDEN']],
  ['a quote within a quote', ['>> HIDDEN']],
  ['a fence within a quote', ['> ```', '> HIDDEN', '> ```']],
  ['indented code', ['text', '', '    HIDDEN', '    HIDDEN']],
  ['code set in by a tab', ['', '\tHIDDEN']],
  ['a code span', ['see `HIDDEN` there']],
  ['a code span of two marks', ['see ``a ` HIDDEN`` there']],
  ['a code span over two lines', ['see `a', 'HIDDEN` there']],
  ['a comment', ['<!-- HIDDEN -->']],
  ['a comment nobody closes', ['<!-- HIDDEN', '', 'HIDDEN']],
  ['code in HTML', ['<pre>', 'HIDDEN', '</pre>', '<code class="x">HIDDEN</code>']],
  ['a quote in HTML', ['<blockquote>HIDDEN', '', 'HIDDEN</blockquote>']],
])('%s is not', (_, lines) => {
  expect(said(...lines)).not.toContain('HIDDEN');
  expect(said(...lines.map((line) => `${line}\r`))).not.toContain('HIDDEN');
});

test.each<[string, string[]]>([
  ['after a fence', ['```', 'code', '```', 'SHOWN']],
  ['after a quote and a blank line', ['> quote', '', 'SHOWN']],
  ['in a line that only goes on', ['text', '    SHOWN']],
  ['between code spans', ['`a` SHOWN `b`']],
  ['behind a mark without its other half', ['a ` SHOWN']],
  ['in a list', ['- SHOWN', '1. x']],
  ['a comparison', ['a > b SHOWN']],
  ['with marks around it', ['**SHOWN**']],
  ['after a comment', ['<!-- x --> SHOWN']],
])('what is said %s is', (_, lines) => {
  expect(said(...lines)).toContain('SHOWN');
});

test('a very long text of marks takes no long time', () => {
  const begun = performance.now();
  for (const piece of ['`', '> ', '<!--', '<pre>', '``` \n', '`a``', '    \n'])
    ownWords(piece.repeat(20_000));
  expect(performance.now() - begun).toBeLessThan(5_000);
});
