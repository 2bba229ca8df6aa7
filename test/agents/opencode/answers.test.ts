/** What is answered without a person, what goes to one, and what a refusal of the provider means. */
import { describe, expect, test } from 'vitest';
import { modelName } from '../../../src/agents/opencode/model-name.ts';
import { permissionReply } from '../../../src/agents/opencode/permission.ts';
import { questionText } from '../../../src/agents/opencode/question.ts';
import { isWornOut } from '../../../src/agents/opencode/recycle.ts';
import { judgeError, judgeRetry } from '../../../src/agents/opencode/refusal.ts';

const NOW = 1_794_813_353_000;

describe('permissions', () => {
  const reply = (permission: string, ...patterns: string[]) =>
    permissionReply({ id: 'per_1', permission, patterns }, '/w/issue');

  test('what lies in the workspace is granted, once', () => {
    expect(reply('edit', 'src/a.ts')).toEqual({ reply: 'once' });
    expect(reply('read', '/w/issue/src/a.ts')).toEqual({ reply: 'once' });
    expect(reply('edit', '..name/a.ts')).toEqual({ reply: 'once' });
    expect(reply('bash', 'cat ../../etc/passwd')).toEqual({ reply: 'once' });
  });

  test.each([
    ['external_directory', '/etc/*'],
    ['edit', '../issue-evil/a.ts'],
    ['read', '/w/issue-evil/a.ts'],
    ['write', '/etc/passwd'],
  ])('%s of %s leads outside, and is refused in words that help', (permission, pattern) => {
    expect(reply(permission, 'src/a.ts', pattern)).toEqual({
      reply: 'reject',
      message: expect.stringContaining('workspace only'),
    });
  });

  test('who goes in circles is told to report or to ask', () => {
    expect(reply('doom_loop', 'bash')).toEqual({
      reply: 'reject',
      message: expect.stringContaining('`ask`'),
    });
  });
});

test('a question is readable with its options, and never longer than what is taken', () => {
  const options = [{ label: 'red', description: 'as blood' }, { label: 'blue' }];
  const questions = [
    { question: 'Which?', options },
    { question: 'And then?', options: [] },
  ];
  expect(questionText({ id: 'q', questions })).toBe('Which?\n- red: as blood\n- blue\n\nAnd then?');
  const long = questionText({ id: 'q', questions: [{ question: 'x'.repeat(50_000), options: [] }] });
  expect(long).toHaveLength(10_000);
});

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

test('an error is a fault in its own words, but a lack of quota', () => {
  const error = (statusCode: number, responseHeaders = {}) => ({
    name: 'APIError',
    data: { message: 'bad key\n    at <anonymous> (/$bunfs/root/x.js:1:1)', statusCode, responseHeaders },
  });
  expect(() => judgeError(error(401), NOW)).toThrow(/^APIError 401 bad key$/);
  expect(() => judgeError({ name: 'UnknownError' }, NOW)).toThrow('UnknownError');
  expect(judgeError(error(429), NOW)).toEqual({ how: 'rate limited' });
  expect(judgeError(error(429, { 'retry-after': '30' }), NOW)).toEqual({
    how: 'rate limited',
    resetAt: NOW + 30_000,
  });
});

test('a server is worn out by its memory or its age', () => {
  const [megabyte, hour] = [1_024 * 1_024, 3_600_000];
  expect(isWornOut(800 * megabyte, hour)).toBe(false);
  expect(isWornOut(1_600 * megabyte, 0)).toBe(true);
  expect(isWornOut(undefined, hour)).toBe(false);
  expect(isWornOut(undefined, 3 * hour)).toBe(true);
});

test('a model is a provider and a name; behind an address of its own it is only a name', () => {
  const endpoint = { url: 'http://gateway' };
  expect(modelName({})).toBeUndefined();
  expect(modelName({ model: 'openrouter/anthropic/claude' })).toEqual({
    ...{ providerID: 'openrouter', modelID: 'anthropic/claude' },
  });
  expect(modelName({ model: 'a/b', endpoint })).toEqual({ providerID: 'legion', modelID: 'a/b' });
  for (const model of ['sonnet', '/x', 'x/']) expect(() => modelName({ model })).toThrow('provider/model');
  expect(() => modelName({ endpoint })).toThrow('needs a model');
});
