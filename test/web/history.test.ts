/** Playing the history, and finding the page of an address. */
import { expect, test } from 'vitest';
import { nextMoment } from '../../web/src/pages/board/history/next-moment.ts';
import { match } from '../../web/src/router/match.ts';

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

test('a path finds the first pattern it fits, with its parts decoded', () => {
  const routes = [{ pattern: '/' }, { pattern: '/issues/:id' }];
  expect(match(routes, '/')?.route.pattern).toBe('/');
  expect(match(routes, '/issues/A%2F1')?.parts).toEqual({ id: 'A/1' });
  expect(match(routes, '/issues/')).toBeUndefined();
  expect(match(routes, '/issues/%zz')).toBeUndefined();
  expect(match(routes, '/nowhere')).toBeUndefined();
});
