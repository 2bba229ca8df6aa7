/** Runs the agent conformance suite on the real OpenCode with a scripted model. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createOpencodeAgent } from '../../src/agents/opencode/opencode-agent.ts';
import { agentConformance } from '../../test/ports/agent/conformance.ts';
import { DONE, KEY, LAUNCHER, takeTurns } from './agent-legion.ts';
import { SESSION } from './agent-stage.ts';
import { useOpencode } from './opencode/stage.ts';

const opencode = useOpencode();

agentConformance('opencode', async () => {
  const { agent, home, env, play, start } = opencode();
  return {
    agent,
    start: start('the words of the issue'),
    run: (launch) => play(launch),
    lacking: {
      agent: createOpencodeAgent({
        launcher: LAUNCHER,
        home,
        environment: env(),
        program: 'no-such-opencode',
      }),
      model: undefined,
    },
    dispose: async () => undefined,
  };
});

test('reports texts, tool calls and tokens in the common format, and no cost if no price is known', async () => {
  const { model, play, launch } = opencode();
  model.mind = takeTurns({ run: 'echo hello; exit 3', say: 'I look', usage: { in: 1_000, out: 50 } }, DONE);
  const { code, lines } = await play(launch('look'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type !== 'usage')).toMatchObject([
    { type: 'started', session: expect.stringMatching(/^ses_/) },
    { type: 'tool_started', tool: 'bash', detail: 'echo hello; exit 3' },
    { type: 'text', text: 'I look' },
    { type: 'tool_ended', failed: true, result: expect.stringContaining('hello') },
    { type: 'tool_started', tool: 'legion_done' },
    { type: 'tool_ended', failed: false },
    { type: 'text', text: 'that is all' },
    { type: 'turn_ended' },
  ]);
  expect(lines.filter(({ type }) => type === 'usage')).toEqual([
    { type: 'usage', in: 1_000, out: 50 },
    { type: 'usage', in: 100, out: 20 },
    { type: 'usage', in: 100, out: 20 },
  ]);
});

test('uses a model of a provider that the person has logged in to, and reports its cost', async () => {
  const { agent, model, play, person, workspace } = opencode();
  mkdirSync(join(person, '.config/opencode'), { recursive: true });
  mkdirSync(join(person, '.local/share/opencode'), { recursive: true });
  const options = { baseURL: `${model.url}/v1` };
  const models = { m1: { name: 'M1', cost: { input: 1, output: 10 } } };
  const provider = { stub: { npm: '@ai-sdk/openai-compatible', name: 'Stub', options, models } };
  writeFileSync(join(person, '.config/opencode/opencode.json'), JSON.stringify({ provider }));
  const login = { stub: { type: 'api', key: KEY } };
  writeFileSync(join(person, '.local/share/opencode/auth.json'), JSON.stringify(login));
  const use = { model: 'stub/m1' };
  const { signal } = new AbortController();
  expect(await agent.preflight(signal, use)).toMatchObject({ ready: true });
  expect(await agent.preflight(signal, { model: 'stub/m2' })).toMatchObject({
    ready: false,
    problem: 'opencode does not have the model stub/m2',
  });
  const { code, lines } = await play(agent.launch(SESSION, { prompt: 'x', workspace, ...use }));
  expect(code).toBe(0);
  expect(model.asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  const [used] = lines.filter((line) => line.type === 'usage');
  // Prices per million tokens: one dollar for input, ten dollars for output.
  expect(used?.usd).toBeCloseTo(100 * 1e-6 + 20 * 10e-6, 9);
});
