/** What OpenCode is configured with: for this session only, and readable by nobody else. */
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import {
  configuration,
  serverEnvironment,
  writeConfiguration,
} from '../../../src/agents/opencode/configuration.ts';

const equipment = {
  mcp: { command: '/node', args: ['/legion.js', 'mcp'] },
  stopHook: ['/node', '/legion.js', 'stop-hook'] as const,
  skills: '/package/skills',
  rules: 'the rules',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(inject('scratch'), 'configuration-'));
});

function given(more: Partial<Parameters<typeof configuration>[0]> = {}) {
  return { ...{ folder, workspace: folder, model: undefined, endpoint: undefined, equipment }, ...more };
}

test('it has the tools, the skills and the rules of a worker, and what may be asked for', () => {
  expect(configuration(given())).toMatchObject({
    mcp: { legion: { type: 'local', command: ['/node', '/legion.js', 'mcp'], enabled: true } },
    skills: { paths: ['/package/skills'] },
    instructions: [join(folder, 'rules.md')],
    permission: { '*': 'allow', external_directory: { '*': 'ask', '/package/skills/*': 'allow' } },
    share: 'disabled',
  });
  expect(configuration(given())).not.toHaveProperty('model');
});

test('the conventions of the repository stand after the rules', () => {
  writeFileSync(join(folder, 'AGENTS.md'), 'conventions');
  expect(configuration(given())).toMatchObject({
    instructions: [join(folder, 'rules.md'), join(folder, 'AGENTS.md')],
  });
});

test.each(['http://gateway', 'http://gateway/', 'http://gateway/v1', 'http://gateway/v1/'])(
  'a model behind %s is a provider of its own, with its key by reference',
  (url) => {
    expect(configuration(given({ model: 'm', endpoint: { url, keyVariable: 'KEY' } }))).toMatchObject({
      model: 'legion/m',
      small_model: 'legion/m',
      enabled_providers: ['legion'],
      provider: {
        legion: { options: { baseURL: 'http://gateway/v1', apiKey: '{env:KEY}' }, models: { m: {} } },
      },
    });
  },
);

test('its files are for nobody else, also where they were there before', () => {
  writeFileSync(join(folder, 'opencode.json'), 'old', { mode: 0o644 });
  writeConfiguration(given({ model: 'a/b' }));
  for (const name of ['opencode.json', 'rules.md'])
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, 'rules.md'), 'utf8')).toBe('the rules');
  expect(JSON.parse(readFileSync(join(folder, 'opencode.json'), 'utf8'))).toMatchObject({ model: 'a/b' });
});

test('settings of OpenCode that came with the environment do not count; everything else is handed on', () => {
  const env = {
    PATH: '/bin',
    XDG_DATA_HOME: '/d',
    OPENCODE_API_KEY: 'k',
    OPENCODE_PERMISSION: '{}',
    OPENCODE_DB: 'x',
  };
  const made = serverEnvironment(env, { folder, endpoint: undefined }, 'secret');
  expect(made).toMatchObject({
    ...{ PATH: '/bin', XDG_DATA_HOME: '/d', OPENCODE_API_KEY: 'k', OPENCODE_SERVER_PASSWORD: 'secret' },
    OPENCODE_CONFIG: join(folder, 'opencode.json'),
    OPENCODE_DB: join(folder, 'opencode.db'),
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
  });
  expect(made).not.toHaveProperty('OPENCODE_PERMISSION');
  expect(made).not.toHaveProperty('OPENCODE_DISABLE_MODELS_FETCH');
});
