/**
 * Hostile values that a service's schema allows or that a service has actually sent. No reader may
 * fail on them.
 */
import {
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { expect } from 'vitest';
import type { Issue } from '../../../src/core/model/issue.ts';
import type { IssueComment } from '../../../src/ports/tracker.ts';
import { chooseByEffort } from '../../support/effort.ts';
import { SEED } from '../host/random.ts';

/** Texts by description. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'half characters, NUL, bidirectional overrides, tags and terminal codes':
    'half \ud83d a\0b gnp.\u202eexe\u2066 \u{e0041}\u{e007f} \u001b[2J\u001b]0;title\u0007 one\r\ntwo\rthree',
  'a text of one megabyte': '👩‍👩‍👧‍👦x'.repeat(90_000),
  'blanks only': ' \t\n ',
  'the name of a built-in property': '__proto__',
  'a script': 'javascript:alert(1)',
};

const HOSTILE_TIMES: Readonly<Record<string, string>> = {
  'no time': 'yesterday',
  'a day that does not exist': '2030-02-30T99:00:00Z',
  'a year beyond every calendar': '+999999-01-01T00:00:00Z',
};

const HOSTILE_NUMBERS: Readonly<Record<string, number>> = {
  'a number beyond 32 bits': 9_999_999_999,
  'a negative number': -7,
  zero: 0,
  'a fraction': 2.5,
};

const TIMES = /^(?:DateTime|TimelessDate)$/;
const NUMBERS = /^(?:Int|Float)$/;

/** `npm test` tries two values per field; `LEGION_TEST_EFFORT=long` tries all of them. */
const MAX_VALUES = chooseByEffort(2, Number.POSITIVE_INFINITY);

/** Returns values by description. The selection differs for each field and seed. */
export function drawHostileValues(
  type: GraphQLOutputType,
  fieldIndex: number,
): readonly (readonly [string, unknown])[] {
  const values = Object.entries(listHostileValues(type));
  const start = (SEED + fieldIndex) % values.length;
  const rotated = [...values.slice(start), ...values.slice(0, start)];
  return rotated.slice(0, MAX_VALUES).map(([what, value]) => [`${what} (LEGION_SEED=${SEED})`, value]);
}

/**
 * Returns hostile values of the field's type in the schema, and values of other types, which the
 * schema forbids.
 */
function listHostileValues(type: GraphQLOutputType): Readonly<Record<string, unknown>> {
  const named = getNamedType(type);
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner))
    return { ...WRONG_TYPES, 'a null entry': [null], 'entries of another type': [5, 'x', {}] };
  if (isEnumType(named))
    return { ...WRONG_TYPES, 'an unknown value': 'NO_SUCH_VALUE', 'a built-in name': '__proto__' };
  if (!isScalarType(named)) return WRONG_TYPES;
  if (TIMES.test(named.name)) return { ...WRONG_TYPES, ...HOSTILE_TIMES };
  if (NUMBERS.test(named.name)) return { ...WRONG_TYPES, ...HOSTILE_NUMBERS, 'a number': '5' };
  return named.name === 'Boolean'
    ? { ...WRONG_TYPES, 'the other value': true }
    : { ...WRONG_TYPES, ...HOSTILE_TEXTS };
}

/** A value of the wrong type for every field, whether a scalar field or a field with subfields. */
export const AN_OBJECT = { odd: 5 };

const WRONG_TYPES: Readonly<Record<string, unknown>> = {
  null: null,
  'a number': 5,
  'an object': AN_OBJECT,
  'an empty list': [],
};

/** Checks the invariants that all consumers of a tracker rely on. */
export function expectSane(issue: Issue): void {
  const { title, body, labels, column, priority, createdAt, enteredStatusAt = 0, writtenBy } = issue;
  for (const text of [title, column, writtenBy?.name ?? '', ...labels]) expectPlain(text);
  expectWhole(body);
  expect(title).not.toContain('\n');
  expect(labels).not.toContain('');
  expect([0, 1, 2, 3, 4]).toContain(priority);
  expect([createdAt, enteredStatusAt].every(Number.isFinite)).toBe(true);
  for (const { text } of issue.problems ?? []) expectPlain(text);
}

export function expectSaneComments(comments: readonly IssueComment[]): void {
  for (const { id, author, at, text } of comments) {
    expect(Number.isFinite(at)).toBe(true);
    expect(id).not.toBe('');
    expectPlain(author);
    expectWhole(text);
  }
}

/** Multi-line text must be kept verbatim, because each view sanitizes it. */
function expectWhole(text: string): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toContain('\0');
}

export function expectPlain(text: string): void {
  expect(text.isWellFormed()).toBe(true);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
  expect(text).not.toMatch(/[\x00\x1b\r\u202a-\u202e\u2066-\u2069]/);
}
