import { expect, test } from 'vitest';
import { entriesOf } from '../../../src/daemon/compose-code.ts';
import type { WorldOptions } from '../../../src/daemon/compose-world.ts';

function entries(...repos: readonly string[]) {
  const config = () => ({
    forge: 'github',
    github: { url: 'https://github.com' },
    repos: repos.map((repo) => ({ repo })),
  });
  return entriesOf({ config, folder: '/', environment: {} } as unknown as WorldOptions);
}

test('repositories are taken as they are named', async () => {
  expect(await entries('acme/app', 'acme/lib')).toEqual([{ repo: 'acme/app' }, { repo: 'acme/lib' }]);
});

test('two whose issues would have the same ids are refused, however they are spelled', async () => {
  await expect(entries('a-b/c', 'acme/app', 'a/b-c')).rejects.toMatchObject({ code: 'config.invalid' });
  await expect(entries('acme/app', 'Acme/App')).rejects.toThrow('acme/app and Acme/App');
});
