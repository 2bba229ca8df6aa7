/** Topics and patterns by NATS's rules, and names that become tokens. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isPattern,
  isTopic,
  matches,
  TOPIC_MOST_CHARACTERS,
  token,
  topicOf,
} from '../../../src/core/model/topic.ts';
import { assertProperty } from '../../support/property.ts';

test.each([
  ['a.b.c', 'a.b.c'],
  ['a.*.c', 'a.b.c'],
  ['*.*.*', 'a.b.c'],
  ['a.>', 'a.b'],
  ['a.>', 'a.b.c'],
  ['>', 'a'],
  ['*.>', 'a.b'],
  ['notifications.github.*.*.pr.*.ci', 'notifications.github.acme.shop.pr.12.ci'],
])('%s selects %s', (pattern, topic) => {
  expect(matches(pattern, topic)).toBe(true);
});

test.each([
  ['a.b', 'a.b.c'],
  ['a.b.c', 'a.b'],
  ['a.*', 'a'],
  ['a.*', 'a.b.c'],
  ['a.>', 'a'],
  ['*.>', 'a'],
  ['a', 'A'],
  ['a*', 'ab'],
  ['a.b', 'a.*'],
  ['>', '>'],
  ['>.a', 'b.a'],
  ['', ''],
  ['>', ''],
])('%s does not select %s', (pattern, topic) => {
  expect(matches(pattern, topic)).toBe(false);
});

test('a topic has tokens that are not empty, without wildcards, blanks and control characters', () => {
  for (const bad of [
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'a b',
    'a\tb',
    'a\nb',
    'a\0b',
    'a.*',
    'a.>',
    'a*b',
    'a>b',
  ]) {
    expect(isTopic(bad), JSON.stringify(bad)).toBe(false);
  }
  for (const bad of ['', 'a..b', 'a.>.b', '>.', 'a*', '**', '>>', 'a >']) {
    expect(isPattern(bad), JSON.stringify(bad)).toBe(false);
  }
  expect(isTopic('a'.repeat(TOPIC_MOST_CHARACTERS))).toBe(true);
  expect(isTopic('a'.repeat(TOPIC_MOST_CHARACTERS + 1))).toBe(false);
});

test('a name from outside is one token, and tells which name it was', () => {
  expect(token('a.b')).toBe('a%2Eb');
  expect(token('ci.yml')).toBe('ci%2Eyml');
  expect(token('>')).toBe('%3E');
  expect(token('100%')).toBe('100%25');
  expect(token('größe')).toBe('gr%C3%B6%C3%9Fe');
  expect(token('')).toBe('%');
});

test('tokens that would be several, none or a wildcard make no topic', () => {
  expect(topicOf('a', 'b')).toBe('a.b');
  for (const bad of [['a.b', 'c'], ['a', ''], ['a', '*'], ['a', '>'], []]) {
    expect(() => topicOf(...bad), bad.join('|')).toThrow('is not a topic');
  }
});

test('any name is one token, from which the name can be read again, so no two share one', () => {
  const letter = fc.oneof(
    fc.constantFrom('.', '*', '>', '%', ' ', '2E', '$'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const name = fc.array(letter, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
  assertProperty(
    fc.property(name, (given) => {
      expect(isTopic(token(given))).toBe(true);
      expect(token(given).split('.')).toHaveLength(1);
      expect(token(given) === '%' ? '' : decodeURIComponent(token(given))).toBe(given);
    }),
    { numRuns: 300 },
  );
});

test('matching agrees with a regular expression made of the pattern', () => {
  const part = fc.constantFrom('a', 'b', 'a%2Eb', 'c');
  const tokens = fc.array(part, { minLength: 1, maxLength: 5 });
  const wanted = fc.tuple(
    fc.array(fc.oneof(part, fc.constant('*')), { minLength: 1, maxLength: 4 }),
    fc.boolean(),
  );
  assertProperty(
    fc.property(wanted, tokens, ([fixed, isOpen], given) => {
      const source = fixed.map((each) => (each === '*' ? '[^.]+' : each)).join('\\.');
      const expected = new RegExp(`^${source}${isOpen ? '(\\.[^.]+)+' : ''}$`).test(given.join('.'));
      expect(matches([...fixed, ...(isOpen ? ['>'] : [])].join('.'), given.join('.'))).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
