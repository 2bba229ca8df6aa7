/**
 * Tests how the outcome of a turn is derived from its last output, as printed by Claude Code
 * 2.1.197.
 */
import { expect, test } from 'vitest';
import type { StreamLineOf } from '../../../src/agents/claude-code/stream-line.ts';
import { findMissingTools, judgeApiRetry, judgeEnding } from '../../../src/agents/claude-code/turn.ts';
import type { TurnExit } from '../../../src/agents/runner/group.ts';

const EXIT: TurnExit = { code: 0, signal: null, errors: '', isInterrupted: false };

function result(more: Partial<StreamLineOf<'result'>> = {}): StreamLineOf<'result'> {
  const usual = { result: 'bye', errors: [], terminal_reason: 'completed' };
  return { type: 'result', is_error: false, ...usual, total_cost_usd: 0, modelUsage: {}, ...more };
}

/**
 * Builds the result for a request that the API refused. Claude Code reports it as a success that
 * contains an error.
 */
function refused(status: number, words: string): StreamLineOf<'result'> {
  return result({ is_error: true, api_error_status: status, result: words });
}

const REJECTED = { status: 'rejected', resetsAt: 1_794_900_000 };

test('a turn that finishes normally has the outcome "ended"', () => {
  expect(judgeEnding({ result: result(), limit: undefined }, EXIT, false)).toEqual({ how: 'ended' });
  // The turn ended before the interrupt arrived.
  expect(judgeEnding({ result: result(), limit: undefined }, EXIT, true)).toEqual({ how: 'ended' });
  // A limit was hit and then lifted, for example by extra usage credits.
  expect(judgeEnding({ result: result(), limit: REJECTED }, EXIT, false)).toEqual({ how: 'ended' });
});

test.each([
  ['the result reports the interrupt', result({ is_error: true, terminal_reason: 'aborted_streaming' })],
  ['the result is not an error', result({ terminal_reason: 'aborted_tools' })],
  ['there is no result', undefined],
])('recognises an interrupted turn: %s', (_name, last) => {
  expect(judgeEnding({ result: last, limit: undefined }, EXIT, true)).toEqual({ how: 'interrupted' });
});

test('reports an exhausted quota as a rate limit, with the reset time if there is one', () => {
  const hit = refused(429, "You've hit your session limit · resets 7:20am (UTC)");
  const ends = (limit: { status: string; resetsAt?: number } | undefined) =>
    judgeEnding({ result: hit, limit }, EXIT, false);
  expect(ends(REJECTED)).toEqual({ how: 'rate limited', resetAt: 1_794_900_000_000 });
  expect(ends({ status: 'rejected' })).toEqual({ how: 'rate limited' });
  expect(ends({ status: 'allowed_warning', resetsAt: 1 })).toEqual({ how: 'rate limited' });
  expect(ends(undefined)).toEqual({ how: 'rate limited' });
});

test.each([
  ['API Error: 529 Overloaded', 529],
  ['Credit balance is too low', 400],
])('reports any other error with its original text: %s', (words, status) => {
  expect(() => judgeEnding({ result: refused(status, words), limit: undefined }, EXIT, false)).toThrow(
    expect.objectContaining({ code: 'agent.failed', message: words }),
  );
});

test.each([
  ['an API that does not accept the key', 401, 'Invalid API key · Fix external API key', false],
  ['an account without access to the API', 403, 'API Error: 403 forbidden', false],
  ['no login at all', undefined, 'Not logged in · Please run /login', false],
  ['an error marked as an authentication error', undefined, 'Something in another language', true],
])(
  'treats a refused login as neither a fault nor a rate limit: %s',
  (_, status, message, isAuthenticationError) => {
    const last = { result: { ...refused(401, message), api_error_status: status }, limit: undefined };
    expect(judgeEnding({ ...last, isAuthenticationError }, EXIT, false)).toEqual({
      how: 'login refused',
      message,
    });
  },
);

test('distinguishes an unknown session and a session id that is already in use from other faults', () => {
  const unknown = result({ is_error: true, errors: ['No conversation found with session ID: 1'] });
  expect(() => judgeEnding({ result: unknown, limit: undefined }, { ...EXIT, code: 1 }, false)).toThrow(
    expect.objectContaining({ code: 'agent.session_unknown' }),
  );
  const errors = 'Error: Session ID 924320b3-c96b-510f-b8c4-43e1040229e8 is already in use.\n';
  const taken = { ...EXIT, code: 1, errors };
  expect(() => judgeEnding({ result: undefined, limit: undefined }, taken, false)).toThrow(
    expect.objectContaining({ code: 'agent.session_taken' }),
  );
});

test('reports the exit code and standard error of an agent that exits without output', () => {
  const ends = (exit: Partial<TurnExit>) => () =>
    judgeEnding({ result: undefined, limit: undefined }, { ...EXIT, ...exit }, false);
  expect(ends({ code: null, signal: 'SIGKILL' })).toThrow(/^Claude Code ended with SIGKILL and no result$/);
  expect(ends({ code: 1, errors: 'Configuration error in x\n' })).toThrow(
    /^Claude Code ended with code 1 and no result: Configuration error in x$/,
  );
});

test("ends a turn if Legion's tools are missing", () => {
  const init = (status: string | undefined) =>
    findMissingTools({
      type: 'system',
      subtype: 'init',
      session_id: 's',
      mcp_servers: status === undefined ? [] : [{ name: 'legion', status }],
    });
  expect(init('connected')).toBeUndefined();
  for (const status of ['failed', 'pending', 'needs-auth', undefined])
    expect(init(status)).toMatchObject({ code: 'agent.failed' });
});

test('gives up on a long quota delay or a second refused login, but waits for retries of any other kind', () => {
  const retry = (error_status: number | null, retry_delay_ms: number, attempt: number) =>
    judgeApiRetry(
      { type: 'system', subtype: 'api_retry', error: 'why', attempt, retry_delay_ms, error_status },
      1_000,
    );
  expect(retry(429, 55_000.4, 1)).toEqual({ how: 'rate limited', resetAt: 56_001 });
  expect(retry(429, 5_000, 1)).toBeUndefined();
  expect(retry(529, 40_000, 9)).toBeUndefined();
  expect(retry(null, 40_000, 9)).toBeUndefined();
  expect(retry(401, 500, 1)).toBeUndefined();
  expect(retry(401, 1_200, 2)).toEqual({ how: 'login refused', message: '401 why' });
});
