/** Code that a repository brings for OpenCode itself is refused. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { refusePlugins } from '../../../src/agents/opencode/plugins.ts';

test('plugins of the repository are named and refused, in both spellings; other files are not', async () => {
  const folder = mkdtempSync(join(inject('scratch'), 'plugins-'));
  await expect(refusePlugins(folder)).resolves.toBeUndefined();
  for (const name of ['plugin', 'plugins', 'skill'])
    mkdirSync(join(folder, '.opencode', name), { recursive: true });
  for (const name of ['plugin/README.md', 'skill/a.ts']) writeFileSync(join(folder, '.opencode', name), '');
  await expect(refusePlugins(folder)).resolves.toBeUndefined();
  for (const name of ['plugins/b.mjs', 'plugin/a.ts']) writeFileSync(join(folder, '.opencode', name), '');
  await expect(refusePlugins(folder)).rejects.toMatchObject({
    ...{
      code: 'agent.failed',
      message: expect.stringContaining('.opencode/plugin/a.ts, .opencode/plugins/b.mjs'),
    },
  });
});

test.each(['folder', 'link'])('a %s among the plugins may be one', async (kind) => {
  const workspace = mkdtempSync(join(inject('scratch'), 'plugins-'));
  const place = join(workspace, '.opencode/plugins');
  mkdirSync(place, { recursive: true });
  if (kind === 'folder') mkdirSync(join(place, 'evil'));
  else symlinkSync('/somewhere', join(place, 'evil'));
  await expect(refusePlugins(workspace)).rejects.toThrow('.opencode/plugins/evil');
});
