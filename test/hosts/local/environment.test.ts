/** Tests the allow-list of environment variables, name by name. */
import { expect, test } from 'vitest';
import { buildProcessEnvironment } from '../../../src/hosts/local/runner.ts';

test("only allowed variables are copied from the daemon's environment", () => {
  const allowed = { PATH: '/bin', HOME: '/h', LANG: 'C', LC_ALL: 'C', TZ: 'UTC', https_proxy: 'http://p' };
  const kept = {
    GITHUB_TOKEN: 'x',
    ANTHROPIC_API_KEY: 'x',
    NODE_OPTIONS: '--require /evil',
    LD_PRELOAD: '/evil.so',
    ENV: '/evil.sh',
    BASH_ENV: '/evil.sh',
    path: '/evil',
    LC: 'x',
    'LC_a-b': 'x',
    LEGION_MARKER: 'of the daemon',
    LEGION_TOKEN: 'x',
  };
  expect(buildProcessEnvironment({ ...allowed, ...kept, TERM: undefined }, {})).toEqual(allowed);
});

test('variables passed explicitly are included and take precedence', () => {
  expect(
    buildProcessEnvironment({ PATH: '/bin', HOME: '/h' }, { PATH: '/own', GH_TOKEN: 't', NONE: undefined }),
  ).toEqual({
    PATH: '/own',
    HOME: '/h',
    GH_TOKEN: 't',
  });
});

test('refuses variable names that a shell would not pass to its child processes or that Legion sets itself', () => {
  for (const env of [
    { 'a-b': '' },
    { '': '' },
    { '1a': '' },
    { LEGION_MARKER: '' },
    { legion_folder: '' },
    { A: '\0' },
  ]) {
    expect(() => buildProcessEnvironment({}, env), JSON.stringify(env)).toThrow('env[');
  }
});
