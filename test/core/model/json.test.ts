import { describe, expect, test } from 'vitest';
import { jsonSchema } from '../../../src/core/model/decode.ts';

describe('free-form JSON', () => {
  test.each([[null], [0], ['text'], [[]], [{}], [{ done: ['a', 1, null], left: { b: false } }]])(
    '%j is accepted unchanged',
    (value) => {
      expect(jsonSchema.parse(value)).toEqual(value);
    },
  );

  test.each([[undefined], [Number.NaN], [10n], [() => 1], [{ at: new Map() }]])('%s is rejected', (value) => {
    expect(jsonSchema.safeParse(value).success).toBe(false);
  });

  test('may be at most 100 levels deep', () => {
    expect(jsonSchema.safeParse(nested(100)).success).toBe(true);
    expect(jsonSchema.safeParse(nested(101)).error?.issues[0]?.message).toBe(
      'is nested deeper than 100 levels',
    );
  });

  test.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('%s nested a hundred thousand times are rejected without recursion', (_, open, close) => {
    const bomb: unknown = JSON.parse(`${open.repeat(100_000)}1${close.repeat(100_000)}`);
    expect(jsonSchema.safeParse(bomb).success).toBe(false);
  });
});

/** Builds an array nested this many levels deep. */
function nested(levels: number): unknown {
  return JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`);
}
