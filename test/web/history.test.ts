/** Tests the playback of the history. */
import { expect, test } from 'vitest';
import { findNextMoment } from '../../web/src/pages/board/history/next-moment.ts';

const span = {
  first: { version: 1, at: 0 },
  last: { version: 9, at: 1_200 },
  parts: [
    { from: 0, count: 3 },
    { from: 400, count: 0 },
    { from: 800, count: 6 },
  ],
};

test('playback of the history moves in equal steps, skips idle time, and stops at the end', () => {
  expect(findNextMoment(span, 0)).toBe(10);
  expect(findNextMoment(span, 395)).toBe(810);
  expect(findNextMoment(span, 1_195)).toBeUndefined();
});
