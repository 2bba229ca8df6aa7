/** What Claude Code is started with: its command line, its environment, its files. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { commandLine, promptLine } from '../../../src/agents/claude-code/command-line.ts';
import { environmentOf, LOGIN_VARIABLES } from '../../../src/agents/claude-code/environment.ts';
import { equip } from '../../../src/agents/claude-code/equip.ts';
import type { Equipment } from '../../../src/driving/equipment.ts';

const EQUIPMENT: Equipment = {
  mcp: { command: '/usr/bin/node', args: ['/opt/legion.js', 'mcp'] },
  stopHook: ['/usr/bin/node', '/opt/legion.js', 'stop-hook'],
  skills: join(import.meta.dirname, '../../../skills'),
  rules: 'the rules',
};

function scratch(): string {
  return mkdtempSync(join(inject('scratch'), 'claude-'));
}

test('the command line has the files, the session and the model, and asks nobody else for settings', () => {
  const files = {
    mcp: '/f/mcp.json',
    settings: '/f/settings.json',
    rules: '/f/rules.md',
    plugin: '/f/plugin',
  };
  const base = { program: '/bin/claude', files, workspace: '/w', session: 'the-session' };
  const argv = commandLine({ ...base, model: 'opus', way: '--session-id' });
  const after = (flag: string) => argv[argv.indexOf(flag) + 1];
  expect(argv[0]).toBe('/bin/claude');
  expect(after('--setting-sources')).toBe('');
  expect(argv).toContain('--strict-mcp-config');
  expect(['--mcp-config', '--settings', '--append-system-prompt-file', '--plugin-dir'].map(after)).toEqual([
    ...[files.mcp, files.settings, files.rules, files.plugin],
  ]);
  expect([after('--add-dir'), after('--model'), after('--session-id')]).toEqual([
    '/w',
    'opus',
    'the-session',
  ]);
  const again = commandLine({ ...base, model: undefined, way: '--resume' });
  expect(again.slice(-2)).toEqual(['--resume', 'the-session']);
  expect(again).not.toContain('--model');
  expect(again).not.toContain('--session-id');
});

test('a prompt is one line, in a block that is not the last', () => {
  const line = promptLine('two\nlines');
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual({
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'two\nlines' },
        { type: 'text', text: 'Begin.' },
      ],
    },
  });
});

test('an endpoint with a key of its own is sent no other login', () => {
  const env = {
    ...Object.fromEntries(LOGIN_VARIABLES.map((name) => [name, 'own'])),
    GATEWAY_KEY: 'k',
    OTHER: 'o',
  };
  const endpoint = { url: 'https://gateway.example', keyVariable: 'GATEWAY_KEY' };
  const given = environmentOf({ env, endpoint }, false);
  expect(given).toMatchObject({
    ...{ ANTHROPIC_BASE_URL: endpoint.url, ANTHROPIC_API_KEY: 'k', OTHER: 'o', CLAUDE_CONFIG_DIR: 'own' },
  });
  const logins = ['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK'];
  for (const name of [...logins, 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'])
    expect(given).not.toHaveProperty(name);
});

test('without an endpoint, or without a key to it, its own login stays', () => {
  const env = { ANTHROPIC_API_KEY: 'own', ANTHROPIC_BASE_URL: 'https://own.example' };
  expect(environmentOf({ env, endpoint: undefined }, false)).toMatchObject(env);
  const endpoint = { url: 'https://gateway.example', keyVariable: undefined };
  expect(environmentOf({ env, endpoint }, false)).toMatchObject({
    ...{ ANTHROPIC_API_KEY: 'own', ANTHROPIC_BASE_URL: endpoint.url },
  });
});

test('an address is taken with its version and without', () => {
  for (const url of ['https://gateway.example', 'https://gateway.example/v1', 'https://gateway.example/v1/'])
    expect(environmentOf({ env: {}, endpoint: { url, keyVariable: undefined } }, false)).toMatchObject({
      ANTHROPIC_BASE_URL: 'https://gateway.example',
    });
});

test('a key that is not there is said before anything is started', () => {
  const endpoint = { url: 'https://gateway.example', keyVariable: 'GATEWAY_KEY' };
  for (const env of [{}, { GATEWAY_KEY: '' }])
    expect(() => environmentOf({ env, endpoint }, false)).toThrow(
      expect.objectContaining({ code: 'agent.not_ready', message: expect.stringContaining('GATEWAY_KEY') }),
    );
});

test('only root is told that it may work unasked', () => {
  expect(environmentOf({ env: {}, endpoint: undefined }, false)).not.toHaveProperty('IS_SANDBOX');
  expect(environmentOf({ env: {}, endpoint: undefined }, true)).toMatchObject({ IS_SANDBOX: '1' });
});

test('keys that open more than a model are not handed on by themselves', () => {
  expect(LOGIN_VARIABLES.filter((name) => /^AWS_(?:ACCESS|SECRET|SESSION)|GOOGLE/.test(name))).toEqual([]);
});

test('its files name the tools, the hook, the rules and the skills, are for this user only, and can be written again', () => {
  const folder = scratch();
  const files = equip(folder, EQUIPMENT);
  expect(equip(folder, EQUIPMENT)).toEqual(files);
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  expect(read(files.mcp)).toEqual({ mcpServers: { legion: { type: 'stdio', ...EQUIPMENT.mcp } } });
  const hook = { type: 'command', command: `'${join(folder, 'stop-hook.sh')}'`, timeout: expect.any(Number) };
  expect(read(files.settings)).toEqual({ hooks: { Stop: [{ hooks: [hook] }] } });
  expect(readFileSync(files.rules, 'utf8')).toBe('the rules');
  expect(read(join(files.plugin, '.claude-plugin/plugin.json'))).toMatchObject({ name: 'legion' });
  expect(readdirSync(join(files.plugin, 'skills'))).toContain('legion-worker');
  expect(lstatSync(join(files.plugin, 'skills')).isSymbolicLink()).toBe(true);
  for (const file of [files.mcp, files.settings, files.rules]) expect(statSync(file).mode & 0o077).toBe(0);
});

test('a folder that cannot be written to is said with a code', () => {
  expect(() => equip('/dev/null/nowhere', EQUIPMENT)).toThrow(
    expect.objectContaining({ code: 'agent.not_ready' }),
  );
});
