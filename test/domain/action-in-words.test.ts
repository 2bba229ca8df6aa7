import { expect, test } from 'vitest';
import { ACTIONS } from '../../src/core/model/action.ts';
import { actionInWords } from '../../src/domain/action-in-words.ts';

test('every action has words of its own, and none is a name of the code', () => {
  const words = ACTIONS.map(actionInWords);
  expect(new Set(words).size).toBe(ACTIONS.length);
  expect(words.filter((text) => text.includes('_'))).toEqual([]);
});

test('what this version does not know stays as it is', () => {
  expect(actionInWords('dispatch_gardener')).toBe('dispatch_gardener');
  expect(actionInWords('toString')).toBe('toString');
});
