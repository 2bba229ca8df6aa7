import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decode } from '../../../src/core/model/decode.ts';

const issue = z.strictObject({
  title: z.string().min(1).max(10),
  priority: z.int().min(0).max(4).optional(),
  attempt: z.int().positive().optional(),
  mode: z.enum(['plan', 'test']).optional(),
  kind: z.literal('bug').optional(),
  labels: z
    .array(z.object({ name: z.string() }))
    .max(2)
    .optional(),
  share: z.number().gt(0).lt(1).optional(),
  either: z.union([z.string(), z.boolean()]).optional(),
  id: z.uuid().optional(),
  extra: z.record(z.string(), z.number()).optional(),
});

describe('a decoding error mentions the path, the expected value and the actual value', () => {
  test.each<[string, unknown, string]>([
    ['nothing at all', undefined, 'issue: is missing'],
    ['null', null, 'issue: expected object, got null'],
    ['a list instead of an object', [1, 2], 'issue: expected object, got array of length 2'],
    ['a missing field', {}, 'issue.title: is missing'],
    ['a wrong type', { title: 5 }, 'issue.title: expected string, got number 5'],
    [
      'a nested place',
      { title: 'a', labels: [{ name: 'x' }, { name: 7 }] },
      'issue.labels[1].name: expected string, got number 7',
    ],
    ['a missing nested field', { title: 'a', labels: [{}] }, 'issue.labels[0].name: is missing'],
    [
      'an unknown word',
      { title: 'a', mode: 'deploy' },
      'issue.mode: expected one of "plan", "test", got "deploy"',
    ],
    [
      'a value other than the only allowed one',
      { title: 'a', kind: 'x' },
      'issue.kind: expected "bug", got "x"',
    ],
    ['an unknown key', { title: 'a', tilte: 'b' }, 'issue: unknown key "tilte"'],
    ['unknown keys', { title: 'a', b: 1, c: 2 }, 'issue: unknown keys "b", "c"'],
    ['a text that is too short', { title: '' }, 'issue.title: must be of length at least 1, got ""'],
    [
      'a text that is too long',
      { title: 'elevenchars' },
      'issue.title: must be of length at most 10, got "elevenchars"',
    ],
    [
      'a list that is too long',
      { title: 'a', labels: [{}, {}, {}].map(() => ({ name: '' })) },
      'issue.labels: must be of length at most 2, got array of length 3',
    ],
    [
      'a number that is too small',
      { title: 'a', priority: -1 },
      'issue.priority: must be at least 0, got number -1',
    ],
    [
      'a number that is too big',
      { title: 'a', priority: 5 },
      'issue.priority: must be at most 4, got number 5',
    ],
    [
      'a number at an exclusive lower bound',
      { title: 'a', attempt: 0 },
      'issue.attempt: must be more than 0, got number 0',
    ],
    [
      'a number at an exclusive upper bound',
      { title: 'a', share: 1 },
      'issue.share: must be less than 1, got number 1',
    ],
    [
      'a number beyond the safe integers',
      { title: 'a', attempt: 2 ** 53 },
      'issue.attempt: must be at most 9007199254740991, got number 9007199254740992',
    ],
    ['a fraction', { title: 'a', priority: 1.5 }, 'issue.priority: expected int, got number 1.5'],
    ['not a number', { title: 'a', share: Number.NaN }, 'issue.share: expected number, got number NaN'],
    [
      'none of several forms',
      { title: 'a', either: 3 },
      'issue.either: matches none of the allowed forms, got number 3',
    ],
    ['a text in the wrong format', { title: 'a', id: 'x' }, 'issue.id: Invalid UUID, got "x"'],
    ['a boolean', { title: true }, 'issue.title: expected string, got boolean true'],
    ['an object', { title: { secret: 'hunter2' } }, 'issue.title: expected string, got object'],
  ])('%s', (_, data, message) => {
    expect(complaintsAbout(data)).toBe(message);
  });

  test('reports a missing field even if objects inherit a property of that name', () => {
    const decoded = decode(z.object({ valueOf: z.string() }), {}, 'thing');
    expect(decoded).toMatchObject({ ok: false, fault: { message: 'thing.valueOf: is missing' } });
  });

  test('lists five errors and counts the rest', () => {
    const bad = { title: 1, priority: 'x', attempt: 'x', mode: 'x', kind: 'x', labels: 'x', share: 'x' };
    expect(complaintsAbout(bad)).toBe(
      [
        'issue.title: expected string, got number 1',
        'issue.priority: expected number, got "x"',
        'issue.attempt: expected number, got "x"',
        'issue.mode: expected one of "plan", "test", got "x"',
        'issue.kind: expected "bug", got "x"',
        'and 2 more',
      ].join('; '),
    );
  });
});

describe('an error about a hostile value', () => {
  test.each<[string, unknown, string]>([
    [
      'shows a text of up to 40 characters',
      { title: 'x'.repeat(40) },
      `issue.title: must be of length at most 10, got "${'x'.repeat(40)}"`,
    ],
    [
      'shows only the length of a text of more than 40 characters',
      { title: 'x'.repeat(41) },
      'issue.title: must be of length at most 10, got a string of length 41',
    ],
    [
      'shows only the length of a text of a megabyte',
      { title: 'x'.repeat(1_000_000) },
      'issue.title: must be of length at most 10, got a string of length 1000000',
    ],
    [
      'cuts a huge key',
      { title: 'a', ['k'.repeat(1_000_000)]: 1 },
      `issue: unknown key "${'k'.repeat(40)}…"`,
    ],
    [
      'cuts a huge key in the path',
      { title: 'a', extra: { ['k'.repeat(500)]: 'x' } },
      `issue.extra["${'k'.repeat(40)}…"]: expected number, got "x"`,
    ],
    [
      'counts many unknown keys',
      { title: 'a', k1: 1, k2: 1, k3: 1, k4: 1, k5: 1, k6: 1, k7: 1 },
      'issue: unknown keys "k1", "k2", "k3", "k4", "k5", and 2 more',
    ],
    [
      'escapes terminal control codes',
      { title: 'a', mode: '\u001b[2J\u009b' },
      'issue.mode: expected one of "plan", "test", got "\\u001b[2J\\u009b"',
    ],
    ['escapes control codes in a key', { title: 'a', '\u202e': 1 }, 'issue: unknown key "\\u202e"'],
    [
      'escapes control codes in a key in the path',
      { title: 'a', extra: { 'a.b\n': 'x' } },
      'issue.extra["a.b\\n"]: expected number, got "x"',
    ],
    [
      'shows a key that every object inherits',
      JSON.parse('{"title":"a","__proto__":1}'),
      'issue: unknown key "__proto__"',
    ],
  ])('%s', (_, data, message) => {
    expect(complaintsAbout(data)).toBe(message);
  });
});

describe('valid data', () => {
  test('is returned as the schema defines it', () => {
    expect(decode(issue, { title: 'a', priority: 0 }, 'issue')).toEqual({
      ok: true,
      value: { title: 'a', priority: 0 },
    });
  });

  test('is returned without unknown keys if the schema is not strict', () => {
    expect(decode(z.object({ a: z.string() }), { a: 'x', b: 1 }, 'thing')).toEqual({
      ok: true,
      value: { a: 'x' },
    });
  });
});

function complaintsAbout(data: unknown): string | undefined {
  const decoded = decode(issue, data, 'issue');
  if (decoded.ok) return undefined;
  expect(decoded.fault.code).toBe('input.invalid');
  return decoded.fault.message;
}
