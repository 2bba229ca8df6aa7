import { expect, test } from 'vitest';
import { judgeOutcome } from '../../../src/agents/codex/turn.ts';
import type { TurnExit } from '../../../src/agents/runner/group.ts';

const NOW = 1_800_000_000_000;
const FAILED: TurnExit = { code: 1, signal: null, errors: '', isInterrupted: false };

const outcome = (complaint: string | undefined, exit: Partial<TurnExit> = {}, isCompleted = false) =>
  judgeOutcome({ isCompleted, complaint }, { ...FAILED, ...exit }, NOW);

test('a completed turn has the outcome "ended", even if an interrupt was requested', () => {
  expect(outcome(undefined, { code: 0, isInterrupted: true }, true)).toEqual({ how: 'ended' });
  // Errors from which the turn has recovered have no effect on its outcome.
  expect(outcome('Reconnecting... 1/5 (429 Too Many Requests)', { code: 0 }, true)).toEqual({ how: 'ended' });
});

test('an aborted turn has the outcome "interrupted"', () => {
  expect(outcome(undefined, { isInterrupted: true })).toEqual({ how: 'interrupted' });
});

test('a turn that runs out of quota is rate limited', () => {
  expect(outcome('Rate limit reached. Please try again in 1.5s.')).toEqual({
    how: 'rate limited',
    resetAt: NOW + 1_500,
  });
  expect(outcome('Quota exceeded. Check your plan and billing details.')).toEqual({ how: 'rate limited' });
});

test.each([
  'unexpected status 401 Unauthorized: Incorrect API key provided, url: http://127.0.0.1:1/v1/responses',
  'unexpected status 403 Forbidden: no',
  'Your access token could not be refreshed because your refresh token was revoked. Please log out and sign in again.',
])('a refused login is neither a fault nor a lack of quota: %s', (message) => {
  expect(outcome(message)).toEqual({ how: 'login refused', message });
});

test("reports any other failure with Codex's error text", () => {
  const fails = (code: string, message: string) => expect.objectContaining({ code, message });
  const failure = (complaint: string | undefined, exit: Partial<TurnExit> = {}) => {
    try {
      return outcome(complaint, exit);
    } catch (error) {
      return error;
    }
  };
  expect(failure('unexpected status 400 Bad Request: no')).toEqual(
    fails('agent.failed', 'unexpected status 400 Bad Request: no'),
  );
  const unknown =
    'Error: thread/resume: thread/resume failed: no rollout found for thread id 01a1e340-1fb8-7ce1-8efd-30eccd5d6cd2 (code -32600)';
  expect(failure(undefined, { errors: `${unknown}\n` })).toEqual(fails('agent.session_unknown', unknown));
  const errors = [
    '2026-11-16T07:07:19Z ERROR codex_core::session: Failed to create session: required MCP servers failed to initialize: legion: x',
    'Error: thread/start failed: required MCP servers failed to initialize: legion: No such file or directory (os error 2)',
    '',
  ].join('\n');
  expect(failure(undefined, { errors })).toEqual(
    fails('agent.failed', "Legion's tools did not start: legion: No such file or directory (os error 2)"),
  );
  expect(failure(undefined, { code: null, signal: 'SIGKILL' })).toEqual(
    fails('agent.failed', 'codex ended by SIGKILL without output'),
  );
  expect(failure(undefined, { code: 2, errors: 'unexpected argument\n\n' })).toEqual(
    fails('agent.failed', 'unexpected argument'),
  );
});
