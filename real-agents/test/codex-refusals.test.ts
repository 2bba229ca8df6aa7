/**
 * Tests Codex when its quota, login, session, tools or report is missing, and when a command prints
 * too much output.
 */
import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createCodexDialect } from '../../src/agents/codex/dialect.ts';
import { CODEX_TURN_TIMEOUTS } from '../../src/agents/codex/turn.ts';
import { REMINDER } from '../../src/agents/runner/reminders.ts';
import { REPORTS } from './agent-legion.ts';
import {
  createCodexOn,
  launchCodexOn,
  resumeCodexOn,
  runDrivenTurn,
  SESSION,
  startOn,
  useCodexStage,
} from './codex-stage.ts';

const stage = useCodexStage();

const HOUR_S = 3_600;

test('if a subscription is exhausted, reports when it can be used again', async () => {
  const resets = Math.floor(Date.now() / 1_000) + HOUR_S;
  const error = { type: 'usage_limit_reached', message: 'x', plan_type: 'plus', resets_at: resets };
  stage().model.mind = () => ({ status: 429, body: { error } });
  const { code, events } = await stage().play(launchCodexOn(stage()));
  expect(code).toBe(75);
  expect(events.slice(1)).toEqual([{ kind: 'rate limited', resetAt: expect.any(Number) }]);
  const [, limited] = events;
  const resetAt = limited?.kind === 'rate limited' ? limited.resetAt : undefined;
  // Codex reports the time without seconds, and Legion takes the end of that minute.
  expect(resetAt).toBe(Math.floor(resets / 60) * 60_000 + 60_000);

  // The session continues when quota is available again.
  stage().model.mind = REPORTS;
  const later = await stage().play(resumeCodexOn(stage(), 'go on'));
  expect(later.code).toBe(0);
  expect(later.events[0]).toEqual(events[0]);
});

test('reports an exhausted quota even if Codex itself would silently wait for an hour', async () => {
  const error = { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded', message: 'slow down' };
  stage().model.mind = () => ({ status: 429, headers: { 'retry-after': String(HOUR_S) }, body: { error } });
  const { ended, events } = await runDrivenTurn(stage(), {
    dialect: createCodexDialect({ ...CODEX_TURN_TIMEOUTS, refused: 2_000 }),
  });
  expect(ended).toBe(75);
  expect(events.at(-1)).toEqual({ kind: 'rate limited' });
});

test("reports a refused key as a refused login with the provider's message", async () => {
  stage().model.mind = () => ({ status: 401, body: { error: { message: 'Incorrect API key provided' } } });
  const { code, events } = await stage().play(launchCodexOn(stage()));
  expect(code).toBe(77);
  expect(events.at(-1)).toEqual({
    kind: 'login refused',
    message: expect.stringMatching(/401.*Incorrect API key/),
  });
});

test('detects a missing login before anything is dispatched', async () => {
  const { person, env } = stage();
  mkdirSync(`${person}/.codex`);
  const agent = createCodexOn({ ...stage(), env: () => ({ ...env(), CODEX_API_KEY: '' }) });
  const { signal } = new AbortController();
  expect(await agent.preflight(signal, {})).toMatchObject({
    ready: false,
    problem: expect.stringContaining('Not logged in'),
  });
  const { endpoint } = startOn(stage());
  expect(await agent.preflight(signal, { endpoint })).toMatchObject({ ready: true, version: '0.166.0' });
});

test('reports a session as unknown if Codex does not have its thread', async () => {
  await stage().play(launchCodexOn(stage()));
  for (const native of ['01a1e340-1fb8-7ce1-8efd-30eccd5d6cd2', 'not-a-thread']) {
    const { code, events } = await stage().play(
      createCodexOn(stage()).resume(SESSION, native, startOn(stage())),
    );
    expect(code).toBe(1);
    expect(events).toEqual([{ kind: 'error', message: expect.any(String), session: 'unknown' }]);
  }
  expect(stage().model.asked.length).toBe(2);
});

test("if Legion's tools are missing, fails the turn without calling the model", async () => {
  const { ended, events } = await runDrivenTurn(stage(), {
    equipment: { mcp: { command: '/no/such/legion', args: [] } },
  });
  expect(ended).toMatchObject({ code: 'agent.failed' });
  expect(events).toEqual([{ kind: 'error', message: expect.stringContaining('s tools did not start') }]);
  expect(stage().model.asked).toEqual([]);
});

test('if an agent ends its turn without a report, it is reminded exactly twice', async () => {
  stage().model.mind = () => ({ say: 'I am finished' });
  const { code, events } = await stage().play(launchCodexOn(stage()));
  expect(code).toBe(0);
  expect(events.filter(({ kind }) => kind === 'turn ended')).toHaveLength(1);
  expect(stage().model.asked.map(({ seen }) => seen.prompts.slice(1))).toEqual([
    [],
    [REMINDER],
    [REMINDER, REMINDER],
  ]);
});

test('shortens megabytes of command output to short lines', async () => {
  stage().model.mind = (seen) =>
    seen.calls.length === 0
      ? { run: 'head -c 10000000 /dev/zero | tr "\\0" x' }
      : REPORTS({ ...seen, calls: seen.calls.slice(1) });
  const { code, out } = await stage().play(launchCodexOn(stage()));
  expect(code).toBe(0);
  expect(out.length).toBeLessThan(20_000);
});
