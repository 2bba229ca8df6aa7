/**
 * Tests how a worker reports OpenCode's limits: quotas, refused logins, faults, lost sessions and
 * endless output.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelMove } from '../../model/mind.ts';
import { DONE, takeTurns } from '../agent-legion.ts';
import { SESSION } from '../agent-stage.ts';
import { useOpencode } from './stage.ts';

const opencode = useOpencode();

/** The exit code EX_TEMPFAIL of sysexits, which means: try again later. */
const TRY_LATER = 75;

function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): ModelMove {
  return { status, headers, body: { error: { message, type: 'x', code: 'x' } } };
}

test('if the provider asks to wait an hour, immediately reports a rate limit and when it will end', async () => {
  const { model, play, launch } = opencode();
  const before = Date.now();
  model.mind = () => refusal(429, 'no more today', { 'retry-after': '3600' });
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(TRY_LATER);
  const [end] = lines.slice(-1);
  expect(end).toEqual({ type: 'rate_limited', reset_at: expect.any(Number) });
  const wait = (end?.type === 'rate_limited' ? (end.reset_at ?? 0) : 0) - before;
  expect(wait).toBeGreaterThan(3_590_000);
  expect(wait).toBeLessThan(3_700_000);
  expect(model.asked).toHaveLength(1);
});

test('reports a rate limit if the provider refuses several requests in a row because of its limit', async () => {
  const { model, play, launch } = opencode();
  model.mind = () => refusal(429, 'Rate limit reached for requests', { 'retry-after-ms': '200' });
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(TRY_LATER);
  expect(lines.at(-1)).toMatchObject({ type: 'rate_limited' });
});

test("retries if the provider fails temporarily, but reports a permanent failure as a fault with the provider's message", async () => {
  const { model, play, launch, resume } = opencode();
  const failing = refusal(500, 'out of order', { 'retry-after-ms': '50' });
  let tries = 0;
  model.mind = (seen) => {
    tries += 1;
    return tries <= 3 ? failing : takeTurns(DONE)(seen);
  };
  expect((await play(launch('x'))).code).toBe(0);
  model.mind = () => failing;
  const { code, lines } = await play(resume('again'));
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatchObject({
    type: 'error',
    code: 'agent.failed',
    message: expect.stringContaining('out of order'),
  });
});

test("reports a refused key as a refused login with the provider's message", async () => {
  const { model, play, launch } = opencode();
  model.mind = () => refusal(401, 'bad key');
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(77);
  expect(lines.at(-1)).toEqual({ type: 'login_refused', message: 'APIError 401 bad key' });
});

test('reports that the model has no login, both before a worker is dispatched and while it runs', async () => {
  const { agent, play, workspace } = opencode();
  const use = { model: 'anthropic/claude-sonnet-4-5' };
  expect(await agent.preflight(new AbortController().signal, use)).toMatchObject({
    ready: false,
    problem: 'opencode does not have the model anthropic/claude-sonnet-4-5',
  });
  const { code, lines } = await play(agent.launch(SESSION, { prompt: 'x', workspace, ...use }));
  expect(code).toBe(77);
  expect(lines.at(-1)).toMatchObject({
    type: 'login_refused',
    message: expect.stringContaining('Model not found'),
  });
});

test('fails before starting anything if the environment variable for the key is not set', async () => {
  const { agent, play, start, model } = opencode();
  const endpoint = { url: model.url, keyVariable: 'NOT_THERE' };
  const { code, lines } = await play(agent.launch(SESSION, { ...start('x'), endpoint }));
  expect(code).toBe(1);
  expect(lines).toMatchObject([{ type: 'error', code: 'agent.not_ready' }]);
  expect(model.asked).toEqual([]);
});

test("reports a session as unknown if OpenCode's own records of it are lost", async () => {
  const { play, launch, resume, home } = opencode();
  expect((await play(launch('x'))).code).toBe(0);
  const folder = join(home, SESSION);
  for (const name of readdirSync(folder)) if (name.startsWith('opencode.db')) rmSync(join(folder, name));
  const { code, events } = await play(resume('again'));
  expect(code).toBe(1);
  expect(events).toMatchObject([{ kind: 'error', session: 'unknown' }]);
});

test('shortens ten megabytes of command output to short lines', async () => {
  const { model, play, launch } = opencode();
  model.mind = takeTurns({ run: 'head -c 10000000 /dev/zero | tr "\\0" x | fold -w 100' }, DONE);
  const { code, out, lines } = await play(launch('x'));
  expect(code).toBe(0);
  expect(lines).toContainEqual({
    type: 'tool_ended',
    id: expect.any(String),
    failed: false,
    result: expect.stringContaining('xxx'),
  });
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(6_000);
});
