/** The allow-list, name by name. */
import { expect, test } from 'vitest';
import { workerEnvironment } from '../../../src/hosts/local/environment.ts';

test('only what is allowed comes from the daemon', () => {
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
  expect(workerEnvironment({ ...allowed, ...kept, TERM: undefined }, {})).toEqual(allowed);
});

test('what is given is there, and wins', () => {
  expect(
    workerEnvironment({ PATH: '/bin', HOME: '/h' }, { PATH: '/own', GH_TOKEN: 't', NONE: undefined }),
  ).toEqual({
    PATH: '/own',
    HOME: '/h',
    GH_TOKEN: 't',
  });
});

test('what a shell would not hand on, or Legion sets itself, is refused', () => {
  for (const env of [
    { 'a-b': '' },
    { '': '' },
    { '1a': '' },
    { LEGION_MARKER: '' },
    { legion_folder: '' },
    { A: '\0' },
  ]) {
    expect(() => workerEnvironment({}, env), JSON.stringify(env)).toThrow('env[');
  }
});
