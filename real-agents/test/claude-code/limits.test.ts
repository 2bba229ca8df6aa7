/**
 * Tests how a worker reports Claude Code's limits: quotas, refused logins, faults and endless
 * output.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeCodeDialect } from '../../../src/agents/claude-code/dialect.ts';
import { buildEquipment } from '../../../src/agents/runner/equipment.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import { readWorkerEnvironment } from '../../../src/protocol/worker-environment.ts';
import type { ModelMove } from '../../model/mind.ts';
import { DONE, KEY_VARIABLE, LAUNCHER, resolveProgram, takeTurns } from '../agent-legion.ts';
import { SESSION } from '../agent-stage.ts';
import { useClaude } from './stage.ts';

const claude = useClaude();

const SKILLS = join(import.meta.dirname, '../../../skills');

/** The exit code EX_TEMPFAIL of sysexits, which means: try again later. */
const TRY_LATER = 75;

function refusal(status: number, type: string, headers: Readonly<Record<string, string>> = {}): ModelMove {
  return {
    status,
    headers,
    body: { type: 'error', error: { type, message: `error from the model: ${type}` } },
  };
}

test('if a subscription window is exhausted, reports when it resets', async () => {
  const { agent, model, play, start } = claude();
  const resetsAt = Math.floor(Date.now() / 1_000) + 3_600;
  const unified = 'anthropic-ratelimit-unified';
  model.mind = () =>
    refusal(429, 'rate_limit_error', {
      [`${unified}-status`]: 'rejected',
      [`${unified}-reset`]: String(resetsAt),
      [`${unified}-representative-claim`]: 'five_hour',
    });
  const { endpoint: _, ...own } = start('x');
  const login = { ANTHROPIC_BASE_URL: model.url, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-x' };
  const { code, lines } = await play(agent.launch(SESSION, own), login);
  expect(lines.at(-1)).toEqual({ type: 'rate_limited', reset_at: resetsAt * 1_000 });
  expect(code).toBe(TRY_LATER);
});

test('ends the turn instead of waiting if the key is rate-limited for a long time', async () => {
  const { model, play, launch } = claude();
  model.mind = () => refusal(429, 'rate_limit_error', { 'retry-after': '3600' });
  const { code, lines } = await play(launch('x'));
  expect(lines.at(-1)).toEqual({ type: 'rate_limited' });
  expect(code).toBe(TRY_LATER);
});

test('reports a rate limit and when it will end, even if it lasts less than a minute and the agent would wait by itself', async () => {
  const { model, play, launch } = claude();
  const before = Date.now();
  model.mind = () => refusal(429, 'rate_limit_error', { 'retry-after': '55' });
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(TRY_LATER);
  const [end] = lines.slice(-1);
  expect(end).toEqual({ type: 'rate_limited', reset_at: expect.any(Number) });
  const wait = (end?.type === 'rate_limited' ? (end.reset_at ?? 0) : 0) - before;
  expect(wait).toBeGreaterThan(50_000);
  expect(wait).toBeLessThan(75_000);
});

test("reports a refused key as a refused login, with the provider's message, after fewer than five requests", async () => {
  const { model, play, launch } = claude();
  model.mind = () => refusal(401, 'authentication_error');
  const { code, lines } = await play(launch('x'));
  expect(code).toBe(77);
  expect(lines.at(-1)).toMatchObject({ type: 'login_refused', message: expect.stringContaining('401') });
  expect(model.asked.length).toBeLessThan(5);
});

test('reports a missing login', async () => {
  const { agent, play, start } = claude();
  const { endpoint: _, ...own } = start('x');
  const { code, lines } = await play(agent.launch(SESSION, own));
  expect(code).toBe(77);
  expect(lines.at(-1)).toMatchObject({
    type: 'login_refused',
    message: expect.stringContaining('Not logged in'),
  });
  expect(await agent.preflight(new AbortController().signal, {})).toMatchObject({
    ready: false,
    problem: 'Claude Code is not logged in',
  });
});

test('fails before starting anything if the environment variable for the key is not set', async () => {
  const { agent, play, start, model } = claude();
  const endpoint = { url: model.url, keyVariable: 'NOT_THERE' };
  const { code, lines } = await play(agent.launch(SESSION, { ...start('x'), endpoint }));
  expect(code).toBe(1);
  expect(lines).toMatchObject([{ type: 'error', code: 'agent.not_ready' }]);
  expect(model.asked).toEqual([]);
});

test.each([
  ['an overloaded provider', 529, 'overloaded_error'],
  ['an unknown model', 404, 'not_found_error'],
  ['a rejected request', 400, 'invalid_request_error'],
])("reports %s as a fault of the turn, with the provider's message", async (_name, status, type) => {
  const { model, play, launch } = claude();
  model.mind = () => refusal(status, type);
  const { code, lines } = await play(launch('x'), { CLAUDE_CODE_MAX_RETRIES: '1' });
  expect(code).toBe(1);
  expect(lines.at(-1)).toEqual({
    type: 'error',
    code: 'agent.failed',
    message: expect.stringMatching(/\S/),
  });
  expect(lines.filter(({ type: kind }) => kind === 'text')).toEqual([]);
});

test("fails the turn if the worker's tools cannot start", async () => {
  const { root, workspace, env, model } = claude();
  const folder = join(root, 'session');
  mkdirSync(folder);
  const equipment = { ...buildEquipment(LAUNCHER, SKILLS), mcp: { command: '/bin/false', args: [] } };
  // Runs without a marker, because the test's own process group does not belong to a worker.
  const { LEGION_MARKER: _, ...given } = env();
  const worker = readWorkerEnvironment(given);
  if (!worker.ok) throw new Error(worker.fault.message);
  const endpoint = { url: model.url, keyVariable: KEY_VARIABLE };
  const said: AgentLine[] = [];
  const conversation = await claudeCodeDialect.open(
    {
      session: SESSION,
      native: undefined,
      isResumed: false,
      workspace,
      folder,
      endpoint,
      model: 'claude-sonnet-4-5',
      program: resolveProgram('claude'),
      env: given,
      equipment,
      worker: worker.value,
    },
    (line) => said.push(line),
  );
  const turn = conversation.runTurn('x', new AbortController().signal);
  await expect(turn).rejects.toMatchObject({
    code: 'agent.failed',
    message: expect.stringContaining('MCP server legion'),
  });
  await conversation.close();
  expect(said).toEqual([{ type: 'started', session: SESSION }]);
  expect(model.asked.length).toBeLessThan(2);
});

test('shortens ten megabytes of tool output to short lines', async () => {
  const { model, play, launch } = claude();
  model.mind = takeTurns({ run: `head -c 10000000 /dev/zero | tr '\\0' x` }, DONE);
  const { code, out, lines } = await play(launch('x'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'tool_ended')).toHaveLength(2);
  expect(out.length).toBeLessThan(20_000);
});
