/**
 * Tests that the preflight detects a missing or old program, a missing login and an invalid model.
 */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { createOpencodeAgent } from '../../../src/agents/opencode/opencode-agent.ts';
import type { ModelUse } from '../../../src/ports/agent.ts';
import { fakeProgram } from './fake-program.ts';

const MODELS = ['opencode/big-pickle', 'anthropic/claude-sonnet-5'];

function program(version: string, models = `console.log(${JSON.stringify(MODELS.join('\n'))})`): string {
  return `
const [what] = process.argv.slice(2);
if (what === '--version') console.log(${JSON.stringify(version)});
else if (what === 'models') { ${models} }
else process.exit(64);
`;
}

function preflight(body: string, use: ModelUse = {}, environment: Readonly<Record<string, string>> = {}) {
  const { program: path } = fakeProgram(body);
  const agent = createOpencodeAgent({
    launcher: ['legion'],
    home: '/home',
    program: 'opencode',
    environment: { PATH: dirname(path), ...environment },
  });
  return agent.preflight(new AbortController().signal, use);
}

test('is ready if OpenCode has the requested model, or at least one model if none is requested', async () => {
  const ready = {
    ready: true,
    version: '1.18.33',
    login: expect.stringContaining('OpenCode’s own settings'),
  };
  expect(await preflight(program('1.18.33'))).toEqual(ready);
  expect(await preflight(program('1.18.33'), { model: 'anthropic/claude-sonnet-5' })).toEqual(ready);
});

test.each([
  [
    'that does not exist',
    { model: 'anthropic/claude-opus-9' },
    'opencode does not have the model anthropic/claude-opus-9',
  ],
  ['without a provider', { model: 'sonnet' }, 'provider/model'],
])('rejects a model %s', async (_name, use, problem) => {
  expect(await preflight(program('1.18.33'), use)).toEqual({
    ready: false,
    problem: expect.stringContaining(problem),
    next: expect.stringContaining('opencode models'),
  });
});

test("for a custom endpoint, requires a model name and the endpoint's key, but no login", async () => {
  const endpoint = { url: 'http://gateway', keyVariable: 'GATEWAY_KEY' };
  const without = program('1.18.33', 'process.exit(1)');
  const key = { GATEWAY_KEY: 'x' };
  expect(await preflight(without, { model: 'm', endpoint }, key)).toEqual({
    ready: true,
    version: '1.18.33',
    login: 'the key in GATEWAY_KEY',
  });
  expect(await preflight(without, { model: 'm', endpoint })).toMatchObject({
    ready: false,
    problem: 'the variable GATEWAY_KEY is not set',
  });
  expect(await preflight(without, { endpoint }, key)).toMatchObject({
    ready: false,
    problem: expect.stringContaining('requires a model'),
  });
});

test("reports OpenCode's error text without colour codes", async () => {
  const models = "console.error('\\u001b[91m\\u001b[1mError: \\u001b[0mUnexpected error'); process.exit(1)";
  expect(await preflight(program('1.18.33', models))).toMatchObject({
    ready: false,
    problem: 'opencode could not list its models: Error: Unexpected error',
  });
});

test('rejects a program that is too old, invalid or missing', async () => {
  expect(await preflight(program('0.9.4'))).toMatchObject({ problem: 'OpenCode 0.9.4 is older than 1.18' });
  expect(await preflight(program('hello'))).toMatchObject({
    problem: expect.stringContaining('its version'),
  });
  const agent = createOpencodeAgent({
    launcher: ['legion'],
    home: '/h',
    program: 'opencode',
    environment: { PATH: '/nowhere' },
  });
  expect(await agent.preflight(new AbortController().signal, {})).toEqual({
    ready: false,
    problem: 'opencode is not on the PATH',
    next: expect.stringContaining('opencode-ai'),
  });
});

test('the daemon passes on model keys, but no token that gives access to anything else', () => {
  const { variables } = createOpencodeAgent({
    launcher: ['legion'],
    home: '/h',
    program: 'opencode',
    environment: {},
  });
  expect(variables).toContain('ANTHROPIC_API_KEY');
  expect(variables.filter((name) => /GITHUB|GITLAB|AWS|TOKEN/.test(name))).toEqual([]);
});
