/** How a turn of Claude Code has ended, from its last words as version 2.1.197 says them. */
import { expect, test } from 'vitest';
import { endingOf } from '../../../src/agents/claude-code/ending.ts';
import { inVain, withoutTools } from '../../../src/agents/claude-code/give-up.ts';
import type { StreamLineOf } from '../../../src/agents/claude-code/stream-line.ts';
import type { TurnExit } from '../../../src/driving/turn-process.ts';

const EXIT: TurnExit = { code: 0, signal: null, errors: '', isInterrupted: false };

function result(more: Partial<StreamLineOf<'result'>> = {}): StreamLineOf<'result'> {
  const usual = { result: 'bye', errors: [], terminal_reason: 'completed' };
  return { type: 'result', is_error: false, ...usual, total_cost_usd: 0, modelUsage: {}, ...more };
}

/** An API that refuses comes as a success that is an error. */
function refused(status: number, words: string): StreamLineOf<'result'> {
  return result({ is_error: true, api_error_status: status, result: words });
}

const REJECTED = { status: 'rejected', resetsAt: 1_794_900_000 };

test('a turn ends by itself', () => {
  expect(endingOf({ result: result(), limit: undefined }, EXIT, false)).toEqual({ how: 'ended' });
  // It was quicker than the interrupt.
  expect(endingOf({ result: result(), limit: undefined }, EXIT, true)).toEqual({ how: 'ended' });
  // A limit that was met and passed, such as by a purse for such cases.
  expect(endingOf({ result: result(), limit: REJECTED }, EXIT, false)).toEqual({ how: 'ended' });
});

test.each([
  ['with a result that says so', result({ is_error: true, terminal_reason: 'aborted_streaming' })],
  ['with one that is no error', result({ terminal_reason: 'aborted_tools' })],
  ['without any', undefined],
])('an interrupted turn is interrupted: %s', (_name, last) => {
  expect(endingOf({ result: last, limit: undefined }, EXIT, true)).toEqual({ how: 'interrupted' });
});

test('a quota that is used up is a rate limit, with its reset where that was said', () => {
  const hit = refused(429, "You've hit your session limit · resets 7:20am (UTC)");
  const ends = (limit: { status: string; resetsAt?: number } | undefined) =>
    endingOf({ result: hit, limit }, EXIT, false);
  expect(ends(REJECTED)).toEqual({ how: 'rate limited', resetAt: 1_794_900_000_000 });
  expect(ends({ status: 'rejected' })).toEqual({ how: 'rate limited' });
  expect(ends({ status: 'allowed_warning', resetsAt: 1 })).toEqual({ how: 'rate limited' });
  expect(ends(undefined)).toEqual({ how: 'rate limited' });
});

test.each([
  ['API Error: 529 Overloaded', 529],
  ['Credit balance is too low', 400],
])('anything else it says is its own words: %s', (words, status) => {
  expect(() => endingOf({ result: refused(status, words), limit: undefined }, EXIT, false)).toThrow(
    expect.objectContaining({ code: 'agent.failed', message: words }),
  );
});

test.each([
  ['an API that does not accept the key', 401, 'Invalid API key · Fix external API key', false],
  ['an account that may not use the API', 403, 'API Error: 403 forbidden', false],
  ['no login at all', undefined, 'Not logged in · Please run /login', false],
  ['its own mark of such an error', undefined, 'Something in another language', true],
])('a refused login is neither a fault nor a rate limit: %s', (_, status, message, isAuthenticationError) => {
  const last = { result: { ...refused(401, message), api_error_status: status }, limit: undefined };
  expect(endingOf({ ...last, isAuthenticationError }, EXIT, false)).toEqual({
    how: 'login refused',
    message,
  });
});

test('a session it does not have, and one it has already, are told apart from other faults', () => {
  const unknown = result({ is_error: true, errors: ['No conversation found with session ID: 1'] });
  expect(() => endingOf({ result: unknown, limit: undefined }, { ...EXIT, code: 1 }, false)).toThrow(
    expect.objectContaining({ code: 'agent.session_unknown' }),
  );
  const errors = 'Error: Session ID 924320b3-c96b-510f-b8c4-43e1040229e8 is already in use.\n';
  const taken = { ...EXIT, code: 1, errors };
  expect(() => endingOf({ result: undefined, limit: undefined }, taken, false)).toThrow(
    expect.objectContaining({ code: 'agent.session_taken' }),
  );
});

test('one that ends without a word says how, and what it complained about', () => {
  const ends = (exit: Partial<TurnExit>) => () =>
    endingOf({ result: undefined, limit: undefined }, { ...EXIT, ...exit }, false);
  expect(ends({ code: null, signal: 'SIGKILL' })).toThrow(/^it ended with SIGKILL and no result$/);
  expect(ends({ code: 1, errors: 'Configuration error in x\n' })).toThrow(
    /^it ended with code 1 and no result: Configuration error in x$/,
  );
});

test('a worker without its tools is not left to work', () => {
  const init = (status: string | undefined) =>
    withoutTools({
      ...{ type: 'system', subtype: 'init', session_id: 's' },
      mcp_servers: status === undefined ? [] : [{ name: 'legion', status }],
    });
  expect(init('connected')).toBeUndefined();
  for (const status of ['failed', 'pending', 'needs-auth', undefined])
    expect(init(status)).toMatchObject({ code: 'agent.failed' });
});

test('a long wait for quota and a login that is refused again are not waited for; everything else is', () => {
  const retry = (error_status: number | null, retry_delay_ms: number, attempt: number) =>
    inVain(
      { ...{ type: 'system', subtype: 'api_retry', error: 'why' }, attempt, retry_delay_ms, error_status },
      1_000,
    );
  expect(retry(429, 55_000.4, 1)).toEqual({ how: 'rate limited', resetAt: 56_001 });
  expect(retry(429, 5_000, 1)).toBeUndefined();
  expect(retry(529, 40_000, 9)).toBeUndefined();
  expect(retry(null, 40_000, 9)).toBeUndefined();
  expect(retry(401, 500, 1)).toBeUndefined();
  expect(retry(401, 1_200, 2)).toEqual({ how: 'login refused', message: '401 why' });
});
