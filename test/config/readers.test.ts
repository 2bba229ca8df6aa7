/** Every key of both configuration files is read somewhere: a key that is accepted and does nothing misleads. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { legionSchema } from '../../src/config/legion/schema.ts';
import { repositorySchema } from '../../src/config/repository/schema.ts';
import { keysOf } from '../../src/config/schema/section.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Files that define, check, fill in or write keys without using their values. */
const NOT_READERS = [
  /^src\/config\/(?!legion\/agent-of\.ts|repository\/instructions\.ts)/,
  /^src\/cli\/commands\/(init|config)/,
  /^src\/domain\/faults\//,
  /^src\/demo\//,
];

/** Sections whose values are handed on whole, with the words by which their readers know them. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  'credentials.github.impl': ['credentials', 'github'],
  'credentials.github.review': ['credentials', 'github'],
};

const sources = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((path) => !NOT_READERS.some((pattern) => pattern.test(path)))
  .map((path) => ({ path, code: withoutTexts(readFileSync(join(ROOT, path), 'utf8')) }));

test.each([...keysOf(legionSchema)].map(({ key }) => key))('legion.yaml: %s has a reader', (key) => {
  expect(readersOf(key)).not.toEqual([]);
});

test.each([...keysOf(repositorySchema)].map(({ key }) => key))(
  '.legion/config.yml: %s has a reader',
  (key) => {
    expect(readersOf(key)).not.toEqual([]);
  },
);

test('a key that nobody reads is found out', () => {
  for (const key of [
    'limits.nobody_reads_this',
    'notifications.slack_channel',
    'credentials.slack.bot_token',
  ])
    expect(readersOf(key), key).toEqual([]);
});

/** A reader names the key and all sections around it in its code, as `limits.check_wait` or by taking them apart. */
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
  // The health contract has the keys of its section under names of its own, such as `notStarted`.
  if (names[0] === 'health') return [last.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
  return [...(ALIASES[section] ?? names.slice(0, -1)), last];
}

/** What stands in a comment or a message is no use of a value. */
function withoutTexts(code: string): string {
  return code
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
}
