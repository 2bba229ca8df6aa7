/** Playing the history. */
import { expect, test } from 'vitest';
import { nextMoment } from '../../web/src/pages/board/history/next-moment.ts';

const span = {
  first: { version: 1, at: 0 },
  last: { version: 9, at: 1_200 },
  parts: [
    { from: 0, count: 3 },
    { from: 400, count: 0 },
    { from: 800, count: 6 },
  ],
};

test('plays in equal steps, skips the time in which nothing happened, and ends at the end', () => {
  expect(nextMoment(span, 0)).toBe(10);
  expect(nextMoment(span, 395)).toBe(810);
  expect(nextMoment(span, 1_195)).toBeUndefined();
});
