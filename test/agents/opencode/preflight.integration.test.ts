/** A missing program, an old one, a missing login or a model that cannot be named is found before anything is dispatched. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { opencodeAgent } from '../../../src/agents/opencode/opencode-agent.ts';
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
  const agent = opencodeAgent({
    ...{ launcher: ['legion'], home: '/home', program: 'opencode' },
    environment: { PATH: dirname(path), ...environment },
  });
  return agent.preflight(new AbortController().signal, use);
}

test('it is ready with any model it has, or with the one that was asked for', async () => {
  const ready = { ready: true, version: '1.18.33', login: expect.stringContaining('OpenCode itself') };
  expect(await preflight(program('1.18.33'))).toEqual(ready);
  expect(await preflight(program('1.18.33'), { model: 'anthropic/claude-sonnet-5' })).toEqual(ready);
});

test.each([
  [
    'that is not there',
    { model: 'anthropic/claude-opus-9' },
    'opencode has no model anthropic/claude-opus-9',
  ],
  ['without a provider', { model: 'sonnet' }, 'provider/model'],
])('a model %s is found', async (_name, use, problem) => {
  expect(await preflight(program('1.18.33'), use)).toEqual({
    ...{
      ready: false,
      problem: expect.stringContaining(problem),
      next: expect.stringContaining('opencode models'),
    },
  });
});

test('a model behind an address needs its name and its key, and no login', async () => {
  const endpoint = { url: 'http://gateway', keyVariable: 'GATEWAY_KEY' };
  const without = program('1.18.33', 'process.exit(1)');
  const key = { GATEWAY_KEY: 'x' };
  expect(await preflight(without, { model: 'm', endpoint }, key)).toEqual({
    ready: true,
    version: '1.18.33',
    login: 'the key in GATEWAY_KEY',
  });
  expect(await preflight(without, { model: 'm', endpoint })).toMatchObject({
    ...{ ready: false, problem: 'the variable GATEWAY_KEY is not set' },
  });
  expect(await preflight(without, { endpoint }, key)).toMatchObject({
    ...{ ready: false, problem: expect.stringContaining('needs a model') },
  });
});

test('what it complains of is said without its colours', async () => {
  const models = "console.error('\\u001b[91m\\u001b[1mError: \\u001b[0mUnexpected error'); process.exit(1)";
  expect(await preflight(program('1.18.33', models))).toMatchObject({
    ...{ ready: false, problem: 'opencode does not say which models it has: Error: Unexpected error' },
  });
});

test('an old program, one that is none, and one that is not there', async () => {
  expect(await preflight(program('0.9.4'))).toMatchObject({ problem: 'OpenCode 0.9.4 is older than 1.18' });
  expect(await preflight(program('hello'))).toMatchObject({
    problem: expect.stringContaining('its version'),
  });
  const agent = opencodeAgent({
    launcher: ['legion'],
    home: '/h',
    program: 'opencode',
    environment: { PATH: '/nowhere' },
  });
  expect(await agent.preflight(new AbortController().signal, {})).toEqual({
    ready: false,
    problem: 'the program opencode is not on the PATH',
    next: expect.stringContaining('opencode-ai'),
  });
});

test('the daemon hands on keys to models, and no token that opens more than that', () => {
  const { variables } = opencodeAgent({
    launcher: ['legion'],
    home: '/h',
    program: 'opencode',
    environment: {},
  });
  expect(variables).toContain('ANTHROPIC_API_KEY');
  expect(variables.filter((name) => /GITHUB|GITLAB|AWS|TOKEN/.test(name))).toEqual([]);
});
