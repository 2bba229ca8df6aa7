import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCodexAgent } from '../../../src/agents/codex/codex-agent.ts';
import { newScene, writeProgram } from './order.ts';

const { signal } = new AbortController();

interface Given {
  readonly version?: string;
  /** Output of `codex login status` on standard error, and its exit code. */
  readonly login?: readonly [string, number];
  readonly env?: Readonly<Record<string, string>>;
  readonly hasFile?: boolean;
}

/** Creates an agent with a fake executable that responds like Codex. */
function agentWith({
  version = 'codex-cli 0.166.0',
  login = ['Not logged in', 1],
  env = {},
  hasFile = false,
}: Given) {
  const scene = newScene();
  const [words, code] = login;
  const program = writeProgram(
    scene,
    `if [ "$1" = --version ]; then echo '${version}'; exit 0; fi`,
    `echo 'WARNING: proceeding' >&2; echo '${words}' >&2; exit ${code}`,
  );
  const { HOME = '' } = scene.order.env;
  mkdirSync(join(HOME, '.codex'));
  if (hasFile) writeFileSync(join(HOME, '.codex/auth.json'), '{}');
  const environment = { ...scene.order.env, ...env };
  return createCodexAgent({ launcher: ['legion'], home: scene.root, program, environment });
}

const readyBy = (login: string) => ({ ready: true, version: '0.166.0', login });
const LOGGED_IN = ['Logged in using ChatGPT', 0] as const;

test('is ready if it has a login file, a key, or a key for another endpoint, and reports which of them it uses', async () => {
  const loggedIn = agentWith({ login: LOGGED_IN, hasFile: true });
  expect(await loggedIn.preflight(signal, {})).toEqual(readyBy('`codex login`'));
  const keyed = agentWith({ env: { CODEX_API_KEY: 'k' } });
  expect(await keyed.preflight(signal, {})).toEqual(readyBy('the key in CODEX_API_KEY'));
  const endpoint = { url: 'http://gateway/v1', keyVariable: 'GATEWAY_KEY' };
  const elsewhere = agentWith({ env: { GATEWAY_KEY: 'k' } });
  expect(await elsewhere.preflight(signal, { endpoint })).toEqual(readyBy('the key in GATEWAY_KEY'));
  const open = { endpoint: { url: 'http://open/v1' } };
  expect(await agentWith({}).preflight(signal, open)).toEqual(
    readyBy('no key, because its endpoint requires none'),
  );
});

test('reports what is missing and what the operator can do', async () => {
  const lacks = (problem: string, next: string) => ({
    ready: false,
    problem: expect.stringContaining(problem),
    next: expect.stringContaining(next),
  });
  expect(await agentWith({}).preflight(signal, {})).toEqual(lacks('Not logged in', 'codex login'));
  expect(await agentWith({ login: LOGGED_IN }).preflight(signal, {})).toEqual(
    lacks('does not store its login in a file', 'cli_auth_credentials_store'),
  );
  const endpoint = { url: 'http://gateway/v1', keyVariable: 'GATEWAY_KEY' };
  // Codex's own login does not work for another endpoint.
  expect(await agentWith({ login: LOGGED_IN, hasFile: true }).preflight(signal, { endpoint })).toEqual(
    lacks('GATEWAY_KEY is not set', 'http://gateway/v1'),
  );
  expect(await agentWith({ version: 'codex-cli 0.99.7' }).preflight(signal, {})).toEqual(
    lacks('0.99.7 is older', 'npm install'),
  );
  expect(await agentWith({ version: 'hello' }).preflight(signal, {})).toEqual(
    lacks('--version failed', 'npm install'),
  );
  const program = 'no-such-codex';
  const absent = createCodexAgent({
    launcher: ['legion'],
    home: '/h',
    program,
    environment: { PATH: '/bin' },
  });
  expect(await absent.preflight(signal, {})).toEqual(
    lacks('no-such-codex is not on the PATH', 'npm install'),
  );
});

test('accepts a later version', async () => {
  for (const version of ['0.167.0', '0.166.1', '1.0.0', '0.167.0-alpha.3']) {
    const agent = agentWith({ version: `codex-cli ${version}`, env: { CODEX_API_KEY: 'k' } });
    expect(await agent.preflight(signal, {})).toMatchObject({ ready: true, version });
  }
});

test('allows only CODEX_HOME and CODEX_API_KEY as login variables', () => {
  expect(agentWith({}).variables).toEqual(['CODEX_HOME', 'CODEX_API_KEY']);
});
