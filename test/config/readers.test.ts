/**
 * Checks that every key of both configuration files is read by some code, because a key that is
 * accepted but has no effect is misleading.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { legionSchema } from '../../src/config/legion/schema.ts';
import { repositorySchema } from '../../src/config/repository/schema.ts';
import { listKeys } from '../../src/config/schema/section.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Files that define, check, complete or write keys without using their values. */
const NOT_READERS = [
  /^src\/config\/(?!legion\/mode-agents\.ts|repository\/load\.ts)/,
  /^src\/cli\/commands\/setup\/(init|config)/,
  /^src\/core\/model\/faults\//,
  /^src\/demo\//,
];

/**
 * Keys of sections that the code hands over as a whole, with the names by which the code reads
 * them.
 */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  'credentials.github.impl': ['credentials', 'github'],
  'credentials.github.review': ['credentials', 'github'],
};

const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((path) => !NOT_READERS.some((pattern) => pattern.test(path)))
  .map((path) => ({ path, code: withoutTexts(readFileSync(join(ROOT, path), 'utf8')) }));

test.each([...listKeys(legionSchema)].map(({ key }) => key))(
  'legion.yaml: the key %s is read by some code',
  (key) => {
    expect(readersOf(key)).not.toEqual([]);
  },
);

test.each([...listKeys(repositorySchema)].map(({ key }) => key))(
  '.legion/config.yml: the key %s is read by some code',
  (key) => {
    expect(readersOf(key)).not.toEqual([]);
  },
);

test('detects a key that no code reads', () => {
  for (const key of [
    'limits.nobody_reads_this',
    'notifications.slack_channel',
    'credentials.slack.bot_token',
  ])
    expect(readersOf(key), key).toEqual([]);
});

/**
 * Returns the files whose code contains the key and all its enclosing sections, as in
 * `limits.check_wait` or by destructuring.
 */
function readersOf(key: string): readonly string[] {
  const words = wordsOf(key);
  return sources
    .filter(({ code }) => words.every((word) => new RegExp(`\\b${word}\\b`).test(code)))
    .map(({ path }) => path);
}

function wordsOf(key: string): readonly string[] {
  const steps = key.replaceAll('[]', '').split('.');
  const names = steps.filter((step) => !step.startsWith('<'));
  const last = names.at(-1) ?? '';
  const section = steps.slice(0, -1).join('.');
  // The health contract has its own names for the keys of its section, such as `notStarted`.
  if (names[0] === 'health') return [last.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
  return [...(ALIASES[section] ?? names.slice(0, -1)), last];
}

/** Removes comments and messages, because mentioning a key there does not use its value. */
function withoutTexts(code: string): string {
  return code
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
}
