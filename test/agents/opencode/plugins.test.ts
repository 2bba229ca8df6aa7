/** Tests that a repository's OpenCode plugins are refused. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { refusePlugins } from '../../../src/agents/opencode/configuration.ts';

test('refuses plugins of the repository in `plugin` or `plugins` and lists them, but allows other files', async () => {
  const folder = mkdtempSync(join(inject('scratch'), 'plugins-'));
  await expect(refusePlugins(folder)).resolves.toBeUndefined();
  for (const name of ['plugin', 'plugins', 'skill'])
    mkdirSync(join(folder, '.opencode', name), { recursive: true });
  for (const name of ['plugin/README.md', 'skill/a.ts']) writeFileSync(join(folder, '.opencode', name), '');
  await expect(refusePlugins(folder)).resolves.toBeUndefined();
  for (const name of ['plugins/b.mjs', 'plugin/a.ts']) writeFileSync(join(folder, '.opencode', name), '');
  await expect(refusePlugins(folder)).rejects.toMatchObject({
    code: 'agent.failed',
    message: expect.stringContaining('.opencode/plugin/a.ts, .opencode/plugins/b.mjs'),
  });
});

test.each(['folder', 'link'])('treats a %s in the plugin directory as a plugin', async (kind) => {
  const workspace = mkdtempSync(join(inject('scratch'), 'plugins-'));
  const place = join(workspace, '.opencode/plugins');
  mkdirSync(place, { recursive: true });
  if (kind === 'folder') mkdirSync(join(place, 'evil'));
  else symlinkSync('/somewhere', join(place, 'evil'));
  await expect(refusePlugins(workspace)).rejects.toThrow('.opencode/plugins/evil');
});
