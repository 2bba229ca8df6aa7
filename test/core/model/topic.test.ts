/** Tests that topics and patterns match by NATS rules, and that names are encoded as tokens. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildTopic,
  isPattern,
  isTopic,
  isTopicMatch,
  MAX_TOPIC_CHARACTERS,
  toTopicToken,
} from '../../../src/core/model/topic.ts';
import { unwrap } from '../../../src/lib/result.ts';
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
])('matches pattern %s with %s', (pattern, topic) => {
  expect(isTopicMatch(pattern, topic)).toBe(true);
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
])('does not match pattern %s with %s', (pattern, topic) => {
  expect(isTopicMatch(pattern, topic)).toBe(false);
});

test('accepts only topics of non-empty tokens without wildcards, spaces or control characters', () => {
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
  expect(isTopic('a'.repeat(MAX_TOPIC_CHARACTERS))).toBe(true);
  expect(isTopic('a'.repeat(MAX_TOPIC_CHARACTERS + 1))).toBe(false);
});

test('encodes an external name as one readable token', () => {
  expect(toTopicToken('a.b')).toBe('a%2Eb');
  expect(toTopicToken('ci.yml')).toBe('ci%2Eyml');
  expect(toTopicToken('>')).toBe('%3E');
  expect(toTopicToken('100%')).toBe('100%25');
  expect(toTopicToken('größe')).toBe('gr%C3%B6%C3%9Fe');
  expect(toTopicToken('')).toBe('%');
});

test('rejects tokens that are empty, contain wildcards or consist of several tokens', () => {
  expect(unwrap(buildTopic('a', 'b'))).toBe('a.b');
  for (const bad of [['a.b', 'c'], ['a', ''], ['a', '*'], ['a', '>'], []]) {
    expect(() => unwrap(buildTopic(...bad)), bad.join('|')).toThrow('is not a valid topic');
  }
});

test('encodes any name as one reversible token, so that no two names share a token', () => {
  const letter = fc.oneof(
    fc.constantFrom('.', '*', '>', '%', ' ', '2E', '$'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  const name = fc.array(letter, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
  assertProperty(
    fc.property(name, (given) => {
      expect(isTopic(toTopicToken(given))).toBe(true);
      expect(toTopicToken(given).split('.')).toHaveLength(1);
      expect(toTopicToken(given) === '%' ? '' : decodeURIComponent(toTopicToken(given))).toBe(given);
    }),
    { numRuns: 300 },
  );
});

test('gives the same results as a regular expression made from the pattern', () => {
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
      expect(isTopicMatch([...fixed, ...(isOpen ? ['>'] : [])].join('.'), given.join('.'))).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
