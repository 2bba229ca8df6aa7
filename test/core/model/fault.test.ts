import { describe, expect, test } from 'vitest';
import { CATALOGUE, createFault, type FaultCode, LegionError } from '../../../src/core/model/fault.ts';

const CODES = Object.keys(CATALOGUE) as FaultCode[];

/** Returns the codes that break a rule, so that a failing test lists them. */
function breaking(isKept: (code: FaultCode) => boolean): FaultCode[] {
  return CODES.filter((code) => !isKept(code));
}

describe('every code in the catalogue', () => {
  test('consists of an area and a name', () => {
    expect(breaking((code) => /^[a-z]+\.[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
  });

  test('has an HTTP error status', () => {
    expect(breaking((code) => CATALOGUE[code].http >= 400 && CATALOGUE[code].http < 600)).toEqual([]);
  });

  test('explains its meaning and the next step in full sentences', () => {
    const isSentence = (text: string) => /^\S.{5,}\.$/.test(text);
    expect(breaking((code) => isSentence(CATALOGUE[code].meaning))).toEqual([]);
    expect(breaking((code) => isSentence(CATALOGUE[code].next))).toEqual([]);
  });

  test('builds a fault from the detail and the catalogue’s next step', () => {
    for (const code of CODES) {
      expect(createFault(code, 'this time')).toEqual({
        code,
        message: 'this time',
        next: CATALOGUE[code].next,
      });
    }
  });

  test('is retryable only if the catalogue marks it so, whatever the message', () => {
    const retryable = (code: FaultCode) =>
      new LegionError(code, 'terminal or retryable, try again').retryable;
    expect(breaking((code) => retryable(code) === (CATALOGUE[code].nature === 'retryable'))).toEqual([]);
  });
});

describe('LegionError', () => {
  test('contains the code, the message, the fault and its cause', () => {
    const cause = new Error('disk on fire');
    const error = new LegionError('journal.full', 'no space left', { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'LegionError',
      message: 'no space left',
      code: 'journal.full',
      cause,
    });
    expect(error.fault).toEqual(createFault('journal.full', 'no space left'));
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
