import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decode } from '../../../src/domain/decode.ts';

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

describe('a complaint names the place, what is expected there and what was found', () => {
  test.each<[string, unknown, string]>([
    ['nothing at all', undefined, 'issue: is missing'],
    ['null', null, 'issue: expected object, got null'],
    ['a list for an object', [1, 2], 'issue: expected object, got array of length 2'],
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
    ['another word than the only one', { title: 'a', kind: 'x' }, 'issue.kind: expected "bug", got "x"'],
    ['an unknown key', { title: 'a', tilte: 'b' }, 'issue: unknown key "tilte"'],
    ['unknown keys', { title: 'a', b: 1, c: 2 }, 'issue: unknown keys "b", "c"'],
    ['too short a text', { title: '' }, 'issue.title: must be of length at least 1, got ""'],
    [
      'too long a text',
      { title: 'elevenchars' },
      'issue.title: must be of length at most 10, got "elevenchars"',
    ],
    [
      'too long a list',
      { title: 'a', labels: [{}, {}, {}].map(() => ({ name: '' })) },
      'issue.labels: must be of length at most 2, got array of length 3',
    ],
    ['too small a number', { title: 'a', priority: -1 }, 'issue.priority: must be at least 0, got number -1'],
    ['too big a number', { title: 'a', priority: 5 }, 'issue.priority: must be at most 4, got number 5'],
    [
      'a number at a bound that is excluded',
      { title: 'a', attempt: 0 },
      'issue.attempt: must be more than 0, got number 0',
    ],
    [
      'a number at an upper bound that is excluded',
      { title: 'a', share: 1 },
      'issue.share: must be less than 1, got number 1',
    ],
    [
      'a number no integer can be',
      { title: 'a', attempt: 2 ** 53 },
      'issue.attempt: must be at most 9007199254740991, got number 9007199254740992',
    ],
    ['a fraction', { title: 'a', priority: 1.5 }, 'issue.priority: expected int, got number 1.5'],
    ['not a number', { title: 'a', share: Number.NaN }, 'issue.share: expected number, got number NaN'],
    [
      'none of several forms',
      { title: 'a', either: 3 },
      'issue.either: is none of the allowed forms, got number 3',
    ],
    ['a text of the wrong form', { title: 'a', id: 'x' }, 'issue.id: Invalid UUID, got "x"'],
    ['a boolean', { title: true }, 'issue.title: expected string, got boolean true'],
    ['an object', { title: { secret: 'hunter2' } }, 'issue.title: expected string, got object'],
  ])('%s', (_, data, message) => {
    expect(complaintsAbout(data)).toBe(message);
  });

  test('a missing field is missing, though every object inherits something of its name', () => {
    const decoded = decode(z.object({ valueOf: z.string() }), {}, 'thing');
    expect(decoded).toMatchObject({ ok: false, fault: { message: 'thing.valueOf: is missing' } });
  });

  test('five complaints are made, and the rest are counted', () => {
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

describe('a hostile value', () => {
  test.each<[string, unknown, string]>([
    [
      '40 characters are shown',
      { title: 'x'.repeat(40) },
      `issue.title: must be of length at most 10, got "${'x'.repeat(40)}"`,
    ],
    [
      '41 are only counted',
      { title: 'x'.repeat(41) },
      'issue.title: must be of length at most 10, got a string of length 41',
    ],
    [
      'a megabyte is only counted',
      { title: 'x'.repeat(1_000_000) },
      'issue.title: must be of length at most 10, got a string of length 1000000',
    ],
    [
      'a huge key is cut',
      { title: 'a', ['k'.repeat(1_000_000)]: 1 },
      `issue: unknown key "${'k'.repeat(40)}…"`,
    ],
    [
      'a huge key on the way is cut',
      { title: 'a', extra: { ['k'.repeat(500)]: 'x' } },
      `issue.extra["${'k'.repeat(40)}…"]: expected number, got "x"`,
    ],
    [
      'many unknown keys are counted',
      { title: 'a', k1: 1, k2: 1, k3: 1, k4: 1, k5: 1, k6: 1, k7: 1 },
      'issue: unknown keys "k1", "k2", "k3", "k4", "k5", and 2 more',
    ],
    [
      'a terminal’s control codes are escaped',
      { title: 'a', mode: '\u001b[2J\u009b' },
      'issue.mode: expected one of "plan", "test", got "\\u001b[2J\\u009b"',
    ],
    ['so they are in a key', { title: 'a', '\u202e': 1 }, 'issue: unknown key "\\u202e"'],
    [
      'and in a key on the way',
      { title: 'a', extra: { 'a.b\n': 'x' } },
      'issue.extra["a.b\\n"]: expected number, got "x"',
    ],
    [
      'a key named like a part of every object',
      JSON.parse('{"title":"a","__proto__":1}'),
      'issue: unknown key "__proto__"',
    ],
  ])('%s', (_, data, message) => {
    expect(complaintsAbout(data)).toBe(message);
  });
});

describe('good data', () => {
  test('comes out as the schema says', () => {
    expect(decode(issue, { title: 'a', priority: 0 }, 'issue')).toEqual({
      ok: true,
      value: { title: 'a', priority: 0 },
    });
  });

  test('of an open schema loses the keys nobody asked for', () => {
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
