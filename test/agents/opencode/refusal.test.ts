/** Tests how Legion classifies requests that the model provider refuses. */
import { describe, expect, test } from 'vitest';
import { judgeError, judgeRetry } from '../../../src/agents/opencode/progress.ts';

const NOW = 1_794_813_353_000;

describe('judging a retry', () => {
  const retry = (attempt: number, message: string, waitMs: number) =>
    judgeRetry({ type: 'retry', attempt, message, next: NOW + waitMs }, NOW);

  test('does not intervene while the agent waits only briefly before a retry', () => {
    expect(retry(1, 'slow down', 2_000)).toBeUndefined();
    expect(retry(3, 'Too Many Requests', 8_000)).toBeUndefined();
    expect(retry(7, 'boom', 30_000)).toBeUndefined();
    expect(retry(1, 'boom', 60_000)).toBeUndefined();
  });

  test('treats a long wait as a rate limit and reports when it will end, whatever the message', () => {
    expect(retry(1, 'no more today', 60_001)).toEqual({ how: 'rate limited', resetAt: NOW + 60_001 });
  });

  test.each([
    '429',
    'Rate limit reached',
    'rate-limited',
    'You exceeded your quota limit',
    'usage limit reached',
  ])('treats the message "%s" as a rate limit once the request was refused four times in a row', (words) => {
    expect(retry(4, words, 16_000)).toEqual({ how: 'rate limited', resetAt: NOW + 16_000 });
    expect(retry(4, words, -1)).toEqual({ how: 'rate limited' });
  });

  test("after eight refusals in a row, treats any other failure as a fault with the failure's message", () => {
    expect(() => retry(8, 'Cannot connect to API', 30_000)).toThrow('refused 8 times: Cannot connect to API');
  });
});

test('treats an error as a fault with its message, unless the quota is exhausted or the login is missing', () => {
  const error = (statusCode: number, responseHeaders = {}) => ({
    name: 'APIError',
    data: { message: 'bad key\n    at <anonymous> (/$bunfs/root/x.js:1:1)', statusCode, responseHeaders },
  });
  expect(() => judgeError(error(400), NOW)).toThrow(/^APIError 400 bad key$/);
  expect(judgeError(error(401), NOW)).toEqual({ how: 'login refused', message: 'APIError 401 bad key' });
  expect(judgeError(error(403), NOW)).toMatchObject({ how: 'login refused' });
  expect(judgeError({ name: 'ProviderAuthError', data: { message: 'no key' } }, NOW)).toEqual({
    how: 'login refused',
    message: 'ProviderAuthError no key',
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
