import { describe, expect, test } from 'vitest';
import { CATALOGUE, type FaultCode, fault, LegionError } from '../../src/domain/fault.ts';

const CODES = Object.keys(CATALOGUE) as FaultCode[];

describe.each(CODES)('%s', (code) => {
  const entry = CATALOGUE[code];

  test('is an area and a word', () => {
    expect(code).toMatch(/^[a-z]+\.[a-z]+(_[a-z]+)*$/);
  });

  test('has an HTTP status of an error', () => {
    expect(entry.http).toBeGreaterThanOrEqual(400);
    expect(entry.http).toBeLessThan(600);
  });

  test('says in whole sentences what it means and what to do next', () => {
    for (const text of [entry.meaning, entry.next]) expect(text).toMatch(/^[A-Z].{10,}\.$/);
  });

  test('carries the detail, and the catalogue’s next step', () => {
    expect(fault(code, 'what it was this time')).toEqual({
      code,
      message: 'what it was this time',
      next: entry.next,
    });
  });

  test('is worth another try only if the catalogue says so, whatever its message', () => {
    expect(new LegionError(code, 'retryable, terminal, try again').retryable).toBe(
      entry.nature === 'retryable',
    );
  });
});

describe('the thrown form', () => {
  test('is an error with the code, the message, the fault and its cause', () => {
    const cause = new Error('disk on fire');
    const error = new LegionError('journal.full', 'no space left', { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'LegionError',
      message: 'no space left',
      code: 'journal.full',
      cause,
    });
    expect(error.fault).toEqual(fault('journal.full', 'no space left'));
  });

  test.each([
    ['journal.busy', true],
    ['journal.conflict', true],
    ['journal.fenced', false],
    ['input.invalid', false],
  ] as const)('%s: retryable is %s', (code, retryable) => {
    expect(new LegionError(code, '').retryable).toBe(retryable);
  });
});
