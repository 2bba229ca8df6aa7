import { expect, test } from 'vitest';
import { ACTIONS, describeAction } from '../../../src/core/model/action.ts';

test('describes every action differently and without internal names', () => {
  const words = ACTIONS.map(describeAction);
  expect(new Set(words).size).toBe(ACTIONS.length);
  expect(words.filter((text) => text.includes('_'))).toEqual([]);
});

test('returns an unknown action unchanged', () => {
  expect(describeAction('dispatch_gardener')).toBe('dispatch_gardener');
  expect(describeAction('toString')).toBe('toString');
});
