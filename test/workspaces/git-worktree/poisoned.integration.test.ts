/**
 * Tests that a damaged workspace or entry does not prevent others from being created, listed or
 * removed.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useGit } from './use-harness.ts';

const present = useGit();

interface Places {
  readonly path: string;
  readonly entry: string;
}

function folderInsteadOf(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
}

const POISONS: Readonly<Record<string, (of: Places) => void>> = {
  'a folder that is gone': ({ path }) => rmSync(path, { recursive: true }),
  'a file where the folder belongs': ({ path }) => {
    rmSync(path, { recursive: true });
    writeFileSync(path, 'a file');
  },
  'no .git': ({ path }) => rmSync(join(path, '.git')),
  'a .git that is garbage': ({ path }) => writeFileSync(join(path, '.git'), '\0garbage'),
  'a .git that leads nowhere': ({ path }) =>
    writeFileSync(join(path, '.git'), 'gitdir: /nowhere/worktrees/x\n'),
  'a .git that is a folder': ({ path }) => folderInsteadOf(join(path, '.git')),
  'an entry that is gone': ({ entry }) => rmSync(entry, { recursive: true }),
  'an entry that is empty': ({ entry }) => folderInsteadOf(entry),
  'an entry that is a file': ({ entry }) => {
    rmSync(entry, { recursive: true });
    writeFileSync(entry, 'a file');
  },
  'a marker that is garbage': ({ entry }) => writeFileSync(join(entry, 'legion.json'), '{"legion":'),
  'a marker that is a folder': ({ entry }) => folderInsteadOf(join(entry, 'legion.json')),
  'a link back to the workspace that is garbage': ({ entry }) =>
    writeFileSync(join(entry, 'gitdir'), '\0\n\n'),
  'a link back to the workspace that is a folder': ({ entry }) => folderInsteadOf(join(entry, 'gitdir')),
  'a HEAD that is garbage': ({ entry }) => writeFileSync(join(entry, 'HEAD'), 'garbage'),
  'a HEAD that is a folder': ({ entry }) => folderInsteadOf(join(entry, 'HEAD')),
  'a commondir that leads nowhere': ({ entry }) => writeFileSync(join(entry, 'commondir'), '/nowhere\n'),
};

test('undamaged workspaces are created, found and removed as usual, whatever is damaged in others', async () => {
  const { open, repository } = present();
  const folder = await repository();
  const before = await open();
  const entries = join(folder, '.git/worktrees');
  await before.ensure('innocent', folder);
  for (const [index, poison] of Object.values(POISONS).entries()) {
    const { path } = await before.ensure(`eng-${index}x`, folder);
    const entry = readdirSync(entries).find((name) => name.includes(`-eng-${index}x`));
    poison({ path, entry: join(entries, entry ?? '') });
  }

  // Opens the workspaces again, as after a restart, so that everything is read again.
  const workspaces = await open();
  expect(await workspaces.ensure('new', folder)).toMatchObject({ issue: 'new' });
  expect((await workspaces.list()).map(({ issue }) => issue)).toEqual(
    expect.arrayContaining(['innocent', 'new']),
  );
  expect(await workspaces.remove('innocent')).toEqual({ removed: true });
  expect(await workspaces.ensure('innocent', folder)).toMatchObject({ issue: 'innocent' });
});
