/** Our own templates as texts: short enough to be read, and true in what they name. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOW_TO_SPEAK } from '../../../src/daemon/prompt/how-to-speak.ts';
import { VERB_NAMES } from '../../../src/protocol/verb.ts';

const FOLDER = new URL('../../../src/daemon/prompt/templates/', import.meta.url);
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

/** A model reads it before it does anything; what is longer belongs into a skill. */
const MOST_LINES = 26;

test.each(FILES)('%s is short, and every verb in it exists', (file) => {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  expectVerbs(text);
});

test('how to speak names only verbs that exist', () => {
  expectVerbs(HOW_TO_SPEAK);
});

function expectVerbs(text: string): void {
  for (const [, first = '', second = ''] of text.matchAll(/legion worker ([a-z-]+)(?: ([a-z]+))?/g)) {
    const names = [first, `${first}_${second}`].map((name) => name.replace('-', '_'));
    expect(
      VERB_NAMES.some((verb) => names.includes(verb)),
      `legion worker ${first} ${second}`,
    ).toBe(true);
  }
}
