/** Tests that recorded work in a jj workspace survives deletion, and that unclear states are refused. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Workspaces } from '../../../src/ports/workspace.ts';
import { refusal } from '../../ports/workspace/refusal.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { git } from '../git-worktree/git-command.ts';
import { type JjHarness, jjHarness } from './jj-setup.ts';

let harness: JjHarness;
let workspaces: Workspaces;
let repository: string;
let path: string;

beforeEach(async (context) => {
  skipWithoutProgram(context, 'jj');
  harness = await jjHarness();
  workspaces = await harness.open();
  repository = await harness.repository();
  ({ path } = await workspaces.ensure('eng-1', repository));
});
afterEach(() => harness?.dispose());

const write = (name: string, text = name) => writeFileSync(join(path, name), text);
const read = (name: string) => readFileSync(join(path, name), 'utf8');

describe('a deleted directory', () => {
  test('is restored with the uncommitted work of the last snapshot', async () => {
    write('done.txt');
    const head = await harness.commit(path, 'Done');
    write('draft.txt', 'recorded');
    await workspaces.snapshot('eng-1');
    write('draft.txt', 'not recorded');
    rmSync(path, { recursive: true });
    await (await harness.open()).ensure('eng-1', repository);
    expect([read('done.txt'), read('draft.txt')]).toEqual(['done.txt', 'recorded']);
    expect(await workspaces.readStatus('eng-1')).toEqual({ head, uncommitted: ['draft.txt'] });
  });

  test('is restored from the operation log even if jj was told to forget the workspace', async () => {
    write('draft.txt', 'recorded');
    await workspaces.snapshot('eng-1');
    await harness.jj(path, 'workspace', 'forget', 'eng-1');
    rmSync(path, { recursive: true });
    await workspaces.ensure('eng-1', repository);
    expect(read('draft.txt')).toBe('recorded');
    expect(await workspaces.readStatus('eng-1')).toMatchObject({ uncommitted: ['draft.txt'] });
  });
});

describe('removal', () => {
  test('keeps a workspace with a nested git repository, which jj does not record', async () => {
    const nested = join(path, 'nested');
    mkdirSync(nested);
    await git(nested, 'init', '--quiet');
    writeFileSync(join(nested, 'inner.txt'), 'inner');
    const removal = await workspaces.remove('eng-1');
    expect(removal).toEqual({ removed: false, holds: ['nested git repository: nested/'] });
  });

  test('keeps a workspace with a new file over jj’s usual size limit', async () => {
    write('large.bin', 'x'.repeat(2 * 1024 * 1024));
    expect(await workspaces.remove('eng-1')).toMatchObject({ removed: false });
  });
});

describe('exporting the branch', () => {
  test('makes the last commit fetchable and leaves uncommitted work in place', async () => {
    write('work.txt');
    const head = await harness.commit(path, 'Work');
    write('draft.txt');
    const folder = (await workspaces.exportBranch('eng-1')) ?? '';
    expect(await git(folder, 'rev-parse', 'refs/heads/eng-1')).toBe(head);
    expect(await workspaces.readStatus('eng-1')).toEqual({ head, uncommitted: ['draft.txt'] });
  });

  test('refuses a commit without a description', async () => {
    write('work.txt');
    await harness.jj(path, 'new');
    write('more.txt');
    await harness.commit(path, 'More');
    expect(await refusal(workspaces.exportBranch('eng-1'))).toMatchObject({ code: 'jj.undescribed' });
  });

  test('refuses a conflicted commit and names its conflicted files, which the status also lists', async () => {
    write('both.txt', 'mine');
    await harness.commit(path, 'Mine');
    await harness.commitOnMain(repository, 'both.txt', 'theirs');
    await workspaces.bringToBase('eng-1');
    await harness.jj(path, 'rebase', '-b', '@', '-o', 'main@origin');
    const fault = await refusal(workspaces.exportBranch('eng-1'));
    expect(fault.code).toBe('jj.conflicted');
    expect(fault.message).toContain('both.txt');
    expect(await workspaces.readStatus('eng-1')).toMatchObject({ uncommitted: ['both.txt (conflict)'] });
    expect(await workspaces.remove('eng-1')).toMatchObject({ removed: false });
  });

  test('refuses a bookmark that points to several commits, and keeps them all', async () => {
    write('one.txt');
    const one = await harness.commit(path, 'One');
    await harness.jj(path, 'new', 'main@origin');
    write('two.txt');
    const two = await harness.commit(path, 'Two');
    const { path: store } = await harness.store(repository);
    const [operation = ''] = (await harness.jj(store, 'op', 'log', '--no-graph', '-T', 'id ++ "\\n"')).split(
      '\n',
    );
    // Two operations that start from the same one are merged by the next command.
    await harness.jj(store, '--at-op', operation, 'bookmark', 'set', 'eng-1', '-r', one, '--allow-backwards');
    await harness.jj(store, '--at-op', operation, 'bookmark', 'set', 'eng-1', '-r', two, '--allow-backwards');
    const fault = await refusal(workspaces.exportBranch('eng-1'));
    expect(fault.code).toBe('jj.bookmark_diverged');
    expect(fault.message).toContain(one.slice(0, 12));
    expect(await workspaces.remove('eng-1')).toMatchObject({ removed: false });
    await harness.jj(path, 'bookmark', 'set', 'eng-1', '-r', '@-', '--allow-backwards');
    expect(await workspaces.exportBranch('eng-1')).toBeDefined();
  });
});

test('a workspace that another one made stale gets its edits back', async () => {
  write('draft.txt', 'first');
  await workspaces.snapshot('eng-1');
  const { path: store } = await harness.store(repository);
  write('later.txt', 'unrecorded');
  await harness.jj(store, '--ignore-working-copy', 'describe', '-r', '"eng-1"@', '-m', 'Described elsewhere');
  await workspaces.snapshot('eng-1');
  expect([read('draft.txt'), read('later.txt')]).toEqual(['first', 'unrecorded']);
});

describe('configuration that a worker wrote', () => {
  const PROGRAM =
    'ui.diff-formatter = ["touch", "PWNED"]\naliases.util = ["util", "exec", "--", "touch", "PWNED"]\n';

  test.each(['.jj/workspace-config.toml', 'store/.jj/repo/config.toml'])(
    'in %s is never obeyed',
    async (file) => {
      const store = await harness.store(repository);
      const proof = join(harness.folder, 'pwned');
      const target = file.startsWith('store/') ? join(store.path, file.slice(6)) : join(path, file);
      writeFileSync(target, PROGRAM.replaceAll('PWNED', proof));
      write('work.txt');
      await workspaces.snapshot('eng-1');
      await workspaces.bringToBase('eng-1');
      await workspaces.exportBranch('eng-1');
      expect(await workspaces.readStatus('eng-1')).toMatchObject({ uncommitted: ['work.txt'] });
      expect(existsSync(proof)).toBe(false);
    },
  );

  test('that leads to a forged store is refused', async () => {
    writeFileSync(join(path, '.jj/repo'), join(harness.folder, 'forged/.jj/repo'));
    expect(await refusal(workspaces.readStatus('eng-1'))).toMatchObject({ code: 'workspace.foreign' });
    expect(await refusal(workspaces.remove('eng-1'))).toMatchObject({ code: 'workspace.foreign' });
  });
});

test('a half created workspace of a killed process is created again, and pruning removes it', async () => {
  const marker = join(harness.root, '.legion-jj/workspaces/eng-1.json');
  const ready = readFileSync(marker, 'utf8');
  writeFileSync(marker, ready.replace('"ready"', '"creating"'));
  expect(await workspaces.find('eng-1')).toBeUndefined();
  expect(await workspaces.list()).toEqual([]);
  await workspaces.ensure('eng-1', repository);
  expect(read('README.md')).toBe('read me\n');
  writeFileSync(marker, ready.replace('"ready"', '"creating"'));
  expect(await workspaces.prune(repository)).toEqual([path]);
  expect(existsSync(path)).toBe(false);
});
