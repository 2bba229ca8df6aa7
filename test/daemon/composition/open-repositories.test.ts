import { expect, test } from 'vitest';
import { resolveRepositoryEntries } from '../../../src/daemon/composition/open-repositories.ts';

function entries(...repos: readonly string[]) {
  const config = () => ({
    forge: 'github',
    github: { url: 'https://github.com' },
    repos: repos.map((repo) => ({ repo })),
  });
  return resolveRepositoryEntries({
    config,
    folder: '/',
    environment: {},
  } as unknown as Parameters<typeof resolveRepositoryEntries>[0]);
}

test('returns the repositories as configured', async () => {
  expect(await entries('acme/app', 'acme/lib')).toEqual([{ repo: 'acme/app' }, { repo: 'acme/lib' }]);
});

test('refuses two repositories whose issues would share ids, ignoring case', async () => {
  await expect(entries('a-b/c', 'acme/app', 'a/b-c')).rejects.toMatchObject({ code: 'config.invalid' });
  await expect(entries('acme/app', 'Acme/App')).rejects.toThrow('acme/app and Acme/App');
});
