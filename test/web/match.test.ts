/** Finding the page of an address. */
import { expect, test } from 'vitest';
import { match } from '../../web/src/router/match.ts';

test('a path finds the first pattern it fits, with its parts decoded', () => {
  const routes = [{ pattern: '/' }, { pattern: '/issues/:id' }];
  expect(match(routes, '/')?.route.pattern).toBe('/');
  expect(match(routes, '/issues/A%2F1')?.parts).toEqual({ id: 'A/1' });
  expect(match(routes, '/issues/')).toBeUndefined();
  expect(match(routes, '/issues/%zz')).toBeUndefined();
  expect(match(routes, '/nowhere')).toBeUndefined();
});
