/** Tests Claude Code's command line, environment and configuration files. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { buildClaudeCommand, formatPromptLine } from '../../../src/agents/claude-code/dialect.ts';
import {
  buildEnvironment,
  LOGIN_VARIABLES,
  writeSessionFiles,
} from '../../../src/agents/claude-code/equip.ts';
import type { AgentEquipment } from '../../../src/agents/runner/equipment.ts';

const EQUIPMENT: AgentEquipment = {
  mcp: { command: '/usr/bin/node', args: ['/opt/legion.js', 'mcp'] },
  stopHook: ['/usr/bin/node', '/opt/legion.js', 'stop-hook'],
  skills: join(import.meta.dirname, '../../../skills'),
  rules: 'the rules',
};

function scratch(): string {
  return mkdtempSync(join(inject('scratch'), 'claude-'));
}

test('the command line specifies the session files, the session and the model, and excludes all other settings', () => {
  const files = {
    mcp: '/f/mcp.json',
    settings: '/f/settings.json',
    rules: '/f/rules.md',
    plugin: '/f/plugin',
  };
  const base = { program: '/bin/claude', files, workspace: '/w', session: 'the-session' };
  const argv = buildClaudeCommand({ ...base, model: 'opus', flag: '--session-id' });
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
  const again = buildClaudeCommand({ ...base, model: undefined, flag: '--resume' });
  expect(again.slice(-2)).toEqual(['--resume', 'the-session']);
  expect(again).not.toContain('--model');
  expect(again).not.toContain('--session-id');
});

test('formats a prompt as one line of JSON that contains the prompt and a second text block', () => {
  const line = formatPromptLine('two\nlines');
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

test('an endpoint with its own key receives no other credentials', () => {
  const env = {
    ...Object.fromEntries(LOGIN_VARIABLES.map((name) => [name, 'own'])),
    GATEWAY_KEY: 'k',
    OTHER: 'o',
  };
  const endpoint = { url: 'https://gateway.example', keyVariable: 'GATEWAY_KEY' };
  const given = buildEnvironment({ env, endpoint }, false);
  expect(given).toMatchObject({
    ANTHROPIC_BASE_URL: endpoint.url,
    ANTHROPIC_API_KEY: 'k',
    OTHER: 'o',
    CLAUDE_CONFIG_DIR: 'own',
  });
  const logins = ['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK'];
  for (const name of [...logins, 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'])
    expect(given).not.toHaveProperty(name);
});

test('the agent keeps its own login unless an endpoint with its own key is configured', () => {
  const env = { ANTHROPIC_API_KEY: 'own', ANTHROPIC_BASE_URL: 'https://own.example' };
  expect(buildEnvironment({ env, endpoint: undefined }, false)).toMatchObject(env);
  const endpoint = { url: 'https://gateway.example', keyVariable: undefined };
  expect(buildEnvironment({ env, endpoint }, false)).toMatchObject({
    ANTHROPIC_API_KEY: 'own',
    ANTHROPIC_BASE_URL: endpoint.url,
  });
});

test('accepts an endpoint URL with or without the API version', () => {
  for (const url of ['https://gateway.example', 'https://gateway.example/v1', 'https://gateway.example/v1/'])
    expect(buildEnvironment({ env: {}, endpoint: { url, keyVariable: undefined } }, false)).toMatchObject({
      ANTHROPIC_BASE_URL: 'https://gateway.example',
    });
});

test('reports a missing endpoint key before it starts anything', () => {
  const endpoint = { url: 'https://gateway.example', keyVariable: 'GATEWAY_KEY' };
  for (const env of [{}, { GATEWAY_KEY: '' }])
    expect(() => buildEnvironment({ env, endpoint }, false)).toThrow(
      expect.objectContaining({ code: 'agent.not_ready', message: expect.stringContaining('GATEWAY_KEY') }),
    );
});

test('if and only if the agent runs as root, sets the variable that lets it work without permission prompts', () => {
  expect(buildEnvironment({ env: {}, endpoint: undefined }, false)).not.toHaveProperty('IS_SANDBOX');
  expect(buildEnvironment({ env: {}, endpoint: undefined }, true)).toMatchObject({ IS_SANDBOX: '1' });
});

test('does not pass on keys that give access to more than the model', () => {
  expect(LOGIN_VARIABLES.filter((name) => /^AWS_(?:ACCESS|SECRET|SESSION)|GOOGLE/.test(name))).toEqual([]);
});

test('the session files contain the tools, the hook, the rules and the skills, are private, and can be rewritten', () => {
  const folder = scratch();
  const files = writeSessionFiles(folder, EQUIPMENT);
  expect(writeSessionFiles(folder, EQUIPMENT)).toEqual(files);
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

test('reports an unwritable directory with a fault code', () => {
  expect(() => writeSessionFiles('/dev/null/nowhere', EQUIPMENT)).toThrow(
    expect.objectContaining({ code: 'agent.not_ready' }),
  );
});
