/** What it means that the provider refused. */
import { describe, expect, test } from 'vitest';
import { judgeError, judgeRetry } from '../../../src/agents/opencode/refusal.ts';

const NOW = 1_794_813_353_000;

describe('retries', () => {
  const retry = (attempt: number, message: string, waitMs: number) =>
    judgeRetry({ type: 'retry', attempt, message, next: NOW + waitMs }, NOW);

  test('a short wait is left to the agent', () => {
    expect(retry(1, 'slow down', 2_000)).toBeUndefined();
    expect(retry(3, 'Too Many Requests', 8_000)).toBeUndefined();
    expect(retry(7, 'boom', 30_000)).toBeUndefined();
    expect(retry(1, 'boom', 60_000)).toBeUndefined();
  });

  test('a long wait is a rate limit with its end, whatever the words', () => {
    expect(retry(1, 'no more today', 60_001)).toEqual({ how: 'rate limited', resetAt: NOW + 60_001 });
  });

  test.each([
    '429',
    'Rate limit reached',
    'rate-limited',
    'You exceeded your quota limit',
    'usage limit reached',
  ])('"%s" four times in a row is a rate limit', (words) => {
    expect(retry(4, words, 16_000)).toEqual({ how: 'rate limited', resetAt: NOW + 16_000 });
    expect(retry(4, words, -1)).toEqual({ how: 'rate limited' });
  });

  test('any other failure eight times in a row is a fault with its words', () => {
    expect(() => retry(8, 'Cannot connect to API', 30_000)).toThrow('refused 8 times: Cannot connect to API');
  });
});

test('an error is a fault in its own words, but for a lack of quota or of a login', () => {
  const error = (statusCode: number, responseHeaders = {}) => ({
    name: 'APIError',
    data: { message: 'bad key\n    at <anonymous> (/$bunfs/root/x.js:1:1)', statusCode, responseHeaders },
  });
  expect(() => judgeError(error(400), NOW)).toThrow(/^APIError 400 bad key$/);
  expect(judgeError(error(401), NOW)).toEqual({ how: 'login refused', message: 'APIError 401 bad key' });
  expect(judgeError(error(403), NOW)).toMatchObject({ how: 'login refused' });
  expect(judgeError({ name: 'ProviderAuthError', data: { message: 'no key' } }, NOW)).toEqual({
    ...{ how: 'login refused', message: 'ProviderAuthError no key' },
  });
  expect(judgeError({ name: 'UnknownError', data: { message: 'Model not found: a/b.' } }, NOW)).toMatchObject(
    {
      how: 'login refused',
    },
  );
  expect(() => judgeError({ name: 'UnknownError' }, NOW)).toThrow('UnknownError');
  expect(judgeError(error(429), NOW)).toEqual({ how: 'rate limited' });
  expect(judgeError(error(429, { 'retry-after': '30' }), NOW)).toEqual({
    how: 'rate limited',
    resetAt: NOW + 30_000,
  });
});
