import { describe, expect, test } from 'vitest';
import { CATALOGUE, type FaultCode, fault, LegionError } from '../../../src/core/model/fault.ts';

const CODES = Object.keys(CATALOGUE) as FaultCode[];

/** The codes that break a rule; naming them is what a failing test is for. */
function breaking(isKept: (code: FaultCode) => boolean): FaultCode[] {
  return CODES.filter((code) => !isKept(code));
}

describe('every code of the catalogue', () => {
  test('is an area and a word', () => {
    expect(breaking((code) => /^[a-z]+\.[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
  });

  test('has an HTTP status of an error', () => {
    expect(breaking((code) => CATALOGUE[code].http >= 400 && CATALOGUE[code].http < 600)).toEqual([]);
  });

  test('says in whole sentences what it means and what to do next', () => {
    const isSentence = (text: string) => /^\S.{5,}\.$/.test(text);
    expect(breaking((code) => isSentence(CATALOGUE[code].meaning))).toEqual([]);
    expect(breaking((code) => isSentence(CATALOGUE[code].next))).toEqual([]);
  });

  test('makes a fault of the detail and the catalogue’s next step', () => {
    for (const code of CODES) {
      expect(fault(code, 'this time')).toEqual({ code, message: 'this time', next: CATALOGUE[code].next });
    }
  });

  test('is worth another try only if its nature says so, whatever the message', () => {
    const retryable = (code: FaultCode) =>
      new LegionError(code, 'terminal or retryable, try again').retryable;
    expect(breaking((code) => retryable(code) === (CATALOGUE[code].nature === 'retryable'))).toEqual([]);
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
