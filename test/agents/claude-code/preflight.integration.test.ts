/** Tests Claude Code's preflight against a fake executable that responds like the real one. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { runClaudePreflight } from '../../../src/agents/claude-code/claude-code-agent.ts';
import { fakeClaude } from './fake-claude.ts';

const { signal } = new AbortController();

function answering({ version = 'echo "2.1.197 (Claude Code)"', status = 'exit 1' }) {
  return fakeClaude(`case $1 in
--version) ${version};;
--setting-sources) [ "$2 $3 $4" = " auth status" ] || exit 9; ${status};;
*) exit 9;;
esac`).program;
}

function asked(program: string, use = {}, more: Readonly<Record<string, string>> = {}) {
  return runClaudePreflight({ program, environment: { PATH: '/usr/bin:/bin', ...more } }, use, signal);
}

const says = (status: object, code: number) => `echo '${JSON.stringify(status)}'; exit ${code}`;
const IN = says({ loggedIn: true, authMethod: 'claude.ai' }, 0);
const OUT = says({ loggedIn: false, authMethod: 'none' }, 1);

test('reports that the agent is ready, with its version and login method', async () => {
  expect(await asked(answering({ status: IN }))).toEqual({
    ready: true,
    version: '2.1.197',
    login: 'claude.ai',
  });
});

test('finds the executable by name on the PATH', async () => {
  const program = answering({ status: IN });
  expect(await asked('claude', {}, { PATH: `/nowhere:${dirname(program)}:/usr/bin:/bin` })).toMatchObject({
    ready: true,
  });
  expect(await asked('claude')).toMatchObject({
    ready: false,
    problem: expect.stringContaining('not installed'),
    next: expect.stringContaining('npm install'),
  });
});

test('explains how to log in if there is no login', async () => {
  expect(await asked(answering({ status: OUT }))).toEqual({
    ready: false,
    problem: 'Claude Code is not logged in',
    next: expect.stringContaining('claude auth login'),
  });
});

test('reports the error that Claude Code prints instead of its version or login status', async () => {
  const corrupt = 'echo "Configuration error in /home/x/.claude.json" >&2; exit 1';
  const problem = expect.stringContaining('Configuration error in');
  expect(await asked(answering({ version: corrupt }))).toMatchObject({ ready: false, problem });
  expect(await asked(answering({ status: corrupt }))).toMatchObject({ ready: false, problem });
});

test('rejects a version that is too old, but accepts a newer one', async () => {
  for (const version of ['1.0.88', '2.0.14'])
    expect(await asked(answering({ version: `echo '${version} (Claude Code)'` }))).toMatchObject({
      ready: false,
      problem: expect.stringContaining(version),
    });
  expect(await asked(answering({ version: 'echo 3.0.1', status: IN }))).toMatchObject({ ready: true });
});

test("requires only the key of the endpoint, not the agent's own login, if an endpoint is configured", async () => {
  const program = answering({ status: OUT });
  const use = { endpoint: { url: 'https://gateway.example', keyVariable: 'GATEWAY_KEY' } };
  expect(await asked(program, use, { GATEWAY_KEY: 'secret' })).toEqual({
    ready: true,
    version: '2.1.197',
    login: 'the key in GATEWAY_KEY',
  });
  expect(await asked(program, use)).toMatchObject({
    ready: false,
    problem: expect.stringContaining('GATEWAY_KEY'),
  });
});
