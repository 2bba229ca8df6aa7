/** Codex where it cannot go on: no quota, no login, no session, no tools, no report; and where it says too much. */
import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codexDialect } from '../../src/agents/codex/dialect.ts';
import { PATIENCE } from '../../src/agents/codex/turn.ts';
import { REMINDER } from '../../src/driving/next-prompt.ts';
import { REPORTS } from './agent-legion.ts';
import { codexOn, drivenOn, launchOn, resumeOn, SESSION, startOn, useCodexStage } from './codex-stage.ts';

const stage = useCodexStage();

const HOUR_S = 3_600;

test('a subscription that is used up says when it can be used again', async () => {
  const resets = Math.floor(Date.now() / 1_000) + HOUR_S;
  const error = { type: 'usage_limit_reached', message: 'x', plan_type: 'plus', resets_at: resets };
  stage().model.mind = () => ({ status: 429, body: { error } });
  const { code, events } = await stage().play(launchOn(stage()));
  expect(code).toBe(75);
  expect(events.slice(1)).toEqual([{ kind: 'rate limited', resetAt: expect.any(Number) }]);
  const [, limited] = events;
  const resetAt = limited?.kind === 'rate limited' ? limited.resetAt : undefined;
  // It is said in minutes, and taken as the end of the minute.
  expect(resetAt).toBe(Math.floor(resets / 60) * 60_000 + 60_000);

  // The session goes on when there is quota again.
  stage().model.mind = REPORTS;
  const later = await stage().play(resumeOn(stage(), 'go on'));
  expect(later.code).toBe(0);
  expect(later.events[0]).toEqual(events[0]);
});

test('a refusal it would wait out for an hour without a word is a lack of quota, too', async () => {
  const error = { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded', message: 'slow down' };
  stage().model.mind = () => ({ status: 429, headers: { 'retry-after': String(HOUR_S) }, body: { error } });
  const { ended, events } = await drivenOn(stage(), {
    dialect: codexDialect({ ...PATIENCE, refused: 2_000 }),
  });
  expect(ended).toBe(75);
  expect(events.at(-1)).toEqual({ kind: 'rate limited' });
});

test('a key that is refused is a refused login with the words of the provider', async () => {
  stage().model.mind = () => ({ status: 401, body: { error: { message: 'Incorrect API key provided' } } });
  const { code, events } = await stage().play(launchOn(stage()));
  expect(code).toBe(77);
  expect(events.at(-1)).toEqual({
    kind: 'login refused',
    message: expect.stringMatching(/401.*Incorrect API key/),
  });
});

test('a login that is not there is found before anything is dispatched', async () => {
  const { person, env } = stage();
  mkdirSync(`${person}/.codex`);
  const agent = codexOn({ ...stage(), env: () => ({ ...env(), CODEX_API_KEY: '' }) });
  const { signal } = new AbortController();
  expect(await agent.preflight(signal, {})).toMatchObject({
    ready: false,
    problem: expect.stringContaining('Not logged in'),
  });
  const { endpoint } = startOn(stage());
  expect(await agent.preflight(signal, { endpoint })).toMatchObject({ ready: true, version: '0.166.0' });
});

test('a thread that Codex does not have is an unknown session', async () => {
  await stage().play(launchOn(stage()));
  for (const native of ['01a1e340-1fb8-7ce1-8efd-30eccd5d6cd2', 'not-a-thread']) {
    const { code, events } = await stage().play(codexOn(stage()).resume(SESSION, native, startOn(stage())));
    expect(code).toBe(1);
    expect(events).toEqual([{ kind: 'error', message: expect.any(String), session: 'unknown' }]);
  }
  expect(stage().model.asked.length).toBe(2);
});

test('without the tools of legion the turn fails and the model is not asked', async () => {
  const { ended, events } = await drivenOn(stage(), {
    equipment: { mcp: { command: '/no/such/legion', args: [] } },
  });
  expect(ended).toMatchObject({ code: 'agent.failed' });
  expect(events).toEqual([
    { kind: 'error', message: expect.stringContaining('the tools of legion did not start') },
  ]);
  expect(stage().model.asked).toEqual([]);
});

test('a turn that ends without a report is reminded twice and no more', async () => {
  stage().model.mind = () => ({ say: 'I am finished' });
  const { code, events } = await stage().play(launchOn(stage()));
  expect(code).toBe(0);
  expect(events.filter(({ kind }) => kind === 'turn ended')).toHaveLength(1);
  expect(stage().model.asked.map(({ seen }) => seen.prompts.slice(1))).toEqual([
    [],
    [REMINDER],
    [REMINDER, REMINDER],
  ]);
});

test('megabytes of output of a command leave the lines small', async () => {
  stage().model.mind = (seen) =>
    seen.calls.length === 0
      ? { run: 'head -c 10000000 /dev/zero | tr "\\0" x' }
      : REPORTS({ ...seen, calls: seen.calls.slice(1) });
  const { code, out } = await stage().play(launchOn(stage()));
  expect(code).toBe(0);
  expect(out.length).toBeLessThan(20_000);
});
