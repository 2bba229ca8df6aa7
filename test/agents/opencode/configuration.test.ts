/** Tests OpenCode's configuration, which is private to its session. */
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import {
  buildConfiguration,
  buildServerEnvironment,
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

function given(more: Partial<Parameters<typeof buildConfiguration>[0]> = {}) {
  return { folder, workspace: folder, model: undefined, endpoint: undefined, equipment, ...more };
}

test("contains the worker's tools, skills, rules and permissions", () => {
  expect(buildConfiguration(given())).toMatchObject({
    mcp: { legion: { type: 'local', command: ['/node', '/legion.js', 'mcp'], enabled: true } },
    skills: { paths: ['/package/skills'] },
    instructions: [join(folder, 'rules.md')],
    permission: { '*': 'allow', external_directory: { '*': 'ask', '/package/skills/*': 'allow' } },
    share: 'disabled',
  });
  expect(buildConfiguration(given())).not.toHaveProperty('model');
});

test("puts the repository's conventions after Legion's rules", () => {
  writeFileSync(join(folder, 'AGENTS.md'), 'conventions');
  expect(buildConfiguration(given())).toMatchObject({
    instructions: [join(folder, 'rules.md'), join(folder, 'AGENTS.md')],
  });
});

test.each(['http://gateway', 'http://gateway/', 'http://gateway/v1', 'http://gateway/v1/'])(
  'configures a model behind %s as a separate provider, and refers to the key of the endpoint by variable name',
  (url) => {
    expect(buildConfiguration(given({ model: 'm', endpoint: { url, keyVariable: 'KEY' } }))).toMatchObject({
      model: 'legion/m',
      small_model: 'legion/m',
      enabled_providers: ['legion'],
      provider: {
        legion: { options: { baseURL: 'http://gateway/v1', apiKey: '{env:KEY}' }, models: { m: {} } },
      },
    });
  },
);

test('makes its files private, even if they existed before', () => {
  writeFileSync(join(folder, 'opencode.json'), 'old', { mode: 0o644 });
  writeConfiguration(given({ model: 'a/b' }));
  for (const name of ['opencode.json', 'rules.md'])
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, 'rules.md'), 'utf8')).toBe('the rules');
  expect(JSON.parse(readFileSync(join(folder, 'opencode.json'), 'utf8'))).toMatchObject({ model: 'a/b' });
});

test('ignores OpenCode settings from the environment and passes on everything else', () => {
  const env = {
    PATH: '/bin',
    XDG_DATA_HOME: '/d',
    OPENCODE_API_KEY: 'k',
    OPENCODE_PERMISSION: '{}',
    OPENCODE_DB: 'x',
  };
  const made = buildServerEnvironment(env, { folder, endpoint: undefined }, 'secret');
  expect(made).toMatchObject({
    PATH: '/bin',
    XDG_DATA_HOME: '/d',
    OPENCODE_API_KEY: 'k',
    OPENCODE_SERVER_PASSWORD: 'secret',
    OPENCODE_CONFIG: join(folder, 'opencode.json'),
    OPENCODE_DB: join(folder, 'opencode.db'),
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
  });
  expect(made).not.toHaveProperty('OPENCODE_PERMISSION');
  expect(made).not.toHaveProperty('OPENCODE_DISABLE_MODELS_FETCH');
});
