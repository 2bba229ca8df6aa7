/**
 * Tests a person's work tree that has the base checked out. It is updated after a merge, or it
 * blocks the merge before anything changes.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Forge } from '../../../../src/ports/forge.ts';
import {
  type Files,
  pullRequest,
  read,
  withLine,
} from '../../../ports/forge/conformance/forge-under-test.ts';
import { git } from '../../../ports/forge/git.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { type World, world } from './world.ts';

const { signal } = new AbortController();

describe('the repository’s work tree', () => {
  let here: World;
  let forge: Forge;
  beforeEach(async () => {
    here = world('ordinary');
    forge = await here.fresh();
  });
  afterEach(() => here.dispose());

  const path = (name: string) => join(here.repository, name);
  const status = () => git(here.repository, 'status', '--porcelain');

  async function mergeOf(files: Files): Promise<() => Promise<unknown>> {
    const { number, headSha } = await pullRequest(here, forge, 'eng-1', files);
    const baseSha = await here.hand.baseSha();
    return () => forge.merge(number, { headSha, baseSha });
  }

  test('is updated by the merge if it is clean', async () => {
    const merge = await mergeOf({
      'app.txt': withLine(2, 'mine'),
      'new/file.txt': 'new',
      'README.md': undefined,
    });
    await merge();
    expect(readFileSync(path('app.txt'), 'utf8')).toBe(withLine(2, 'mine'));
    expect(readFileSync(path('new/file.txt'), 'utf8')).toBe('new');
    expect(existsSync(path('README.md'))).toBe(false);
    expect(await status()).toBe('');
  });

  test('is updated by the merge and keeps untracked files', async () => {
    const merge = await mergeOf({ 'a.txt': 'a' });
    writeFileSync(path('notes.txt'), 'mine');
    utimesSync(path('app.txt'), new Date(0), new Date(0)); // only the timestamps change
    await merge();
    expect(readFileSync(path('notes.txt'), 'utf8')).toBe('mine');
    expect(await status()).toBe('?? notes.txt');
  });

  test.each<[string, (name: string) => Promise<unknown>, string]>([
    ['a changed file', async () => writeFileSync(path('app.txt'), 'precious'), 'app.txt'],
    ['a staged file', () => staged('app.txt', 'precious'), 'app.txt'],
    ['a file that was deleted', async () => rmSync(path('app.txt')), 'app.txt'],
    ['a file whose deletion is staged', () => git(here.repository, 'rm', '--quiet', 'app.txt'), 'app.txt'],
    ['a renamed file', () => git(here.repository, 'mv', 'app.txt', 'moved.txt'), 'app.txt'],
    ['a changed mode', async () => chmodSync(path('app.txt'), 0o755), 'app.txt'],
    ['an untracked file that the merge adds', async () => writeFileSync(path('a.txt'), 'x'), 'a.txt'],
    ['a staged new file that the merge adds', () => staged('a.txt', 'x'), 'a.txt'],
    [
      'a folder with files in place of a file that the merge adds',
      async () => write('a.txt/notes', 'x'),
      'a.txt/notes',
    ],
    [
      'a file in place of a folder that the merge needs',
      async () => writeFileSync(path('deep'), 'x'),
      'deep',
    ],
  ])('blocks the merge and loses nothing if it has %s', async (_, change, name) => {
    const merge = await mergeOf({ 'app.txt': withLine(2, 'mine'), 'a.txt': 'a', 'deep/b.txt': 'b' });
    const before = await here.hand.baseSha();
    await change(name);
    const dirty = await status();
    expect(await refusal(merge())).toMatchObject({
      code: 'forge.base_in_use',
      retryable: true,
      message: expect.stringContaining(`: ${name}`),
    });
    expect(await forge.obstacles?.('eng-1', signal)).toMatchObject([
      { folder: here.repository, files: [name] },
    ]);
    expect(await here.hand.baseSha()).toBe(before);
    expect(await status()).toBe(dirty);
    await git(here.repository, 'reset', '--quiet', '--hard');
    await git(here.repository, 'clean', '--quiet', '-fd');
    expect(await forge.obstacles?.('eng-1', signal)).toEqual([]);
    await merge();
    expect(await status()).toBe('');
  });

  test('is updated by the merge and keeps uncommitted changes to other files, staged or not', async () => {
    await here.hand.commitToBase({
      'legion.yaml': 'legion: shop\n',
      'old.txt': 'old\n',
      'tool.sh': 'echo\n',
    });
    const merge = await mergeOf({ 'app.txt': withLine(2, 'mine'), 'a.txt': 'a' });
    writeFileSync(path('legion.yaml'), 'legion: other\n');
    await staged('README.md', 'staged\n');
    writeFileSync(path('README.md'), 'and changed again\n');
    await git(here.repository, 'mv', 'old.txt', 'new.txt');
    chmodSync(path('tool.sh'), 0o755);
    writeFileSync(path('notes.txt'), 'mine');
    const dirty = await status();
    expect(await forge.obstacles?.('eng-1', signal)).toEqual([]);
    expect(await merge()).not.toHaveProperty('note');
    expect(await status()).toBe(dirty);
    expect(readFileSync(path('app.txt'), 'utf8')).toBe(withLine(2, 'mine'));
    expect(readFileSync(path('a.txt'), 'utf8')).toBe('a');
    expect(readFileSync(path('legion.yaml'), 'utf8')).toBe('legion: other\n');
    expect(readFileSync(path('README.md'), 'utf8')).toBe('and changed again\n');
    expect(await git(here.repository, 'show', ':README.md')).toBe('staged');
  });

  test('blocks a merge that changes a locally edited legion.yaml', async () => {
    await here.hand.commitToBase({ 'legion.yaml': 'legion: shop\n' });
    const merge = await mergeOf({ 'legion.yaml': 'legion: shop\nport: 1\n' });
    writeFileSync(path('legion.yaml'), 'legion: other\n');
    expect(await refusal(merge())).toMatchObject({ message: expect.stringContaining('legion.yaml') });
  });

  test('does not block a merge if it has edits or new commits only inside a submodule that the merge does not change', async () => {
    const sub = join(here.repository, '..', 'library');
    await git(here.repository, 'init', '--quiet', '--initial-branch=main', sub);
    writeFileSync(join(sub, 'lib.txt'), 'one');
    await git(sub, 'add', '--all');
    await git(sub, 'commit', '--quiet', '--message=one');
    await git(
      here.repository,
      '-c',
      'protocol.file.allow=always',
      'submodule',
      'add',
      '--quiet',
      sub,
      'library',
    );
    await git(here.repository, 'commit', '--quiet', '--message=submodule');
    const merge = await mergeOf({ 'app.txt': withLine(2, 'mine') });
    writeFileSync(path('library/lib.txt'), 'edited');
    expect(await forge.obstacles?.('eng-1', signal)).toEqual([]);
    await git(path('library'), 'commit', '--quiet', '--all', '--message=two');
    expect(await forge.obstacles?.('eng-1', signal)).toEqual([]);
    await merge();
    expect(readFileSync(path('library/lib.txt'), 'utf8')).toBe('edited');
  });

  test('makes the merge wait for the user’s own git process, and blocks the merge if the index lock remains', async () => {
    const merge = await mergeOf({ 'app.txt': withLine(2, 'mine') });
    const lock = path('.git/index.lock');
    writeFileSync(lock, '');
    expect(await refusal(merge())).toMatchObject({
      code: 'forge.base_in_use',
      message: expect.stringContaining('index.lock'),
    });
    const waiting = merge();
    setTimeout(() => rmSync(lock), 150);
    await waiting;
    expect(await status()).toBe('');
  });

  async function staged(name: string, text: string): Promise<void> {
    write(name, text);
    await git(here.repository, 'add', name);
  }

  function write(name: string, text: string): void {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  }

  test('blocks a merge that would overwrite an ignored file', async () => {
    await here.hand.commitToBase({ '.gitignore': 'secret.env\n' });
    const { number, headSha } = await pullRequest(here, forge, 'eng-1', { 'x.txt': 'x' });
    await git(here.hand.workspace('eng-1'), 'rm', '--quiet', '.gitignore');
    await here.hand.commit('eng-1', { 'secret.env': 'from the branch' });
    const head = await forge.push('eng-1', here.hand.workspace('eng-1'));
    expect(head).not.toBe(headSha);
    writeFileSync(path('secret.env'), 'precious');
    const call = forge.merge(number, { headSha: head, baseSha: await here.hand.baseSha() });
    expect(await refusal(call)).toMatchObject({
      code: 'forge.base_in_use',
      message: expect.stringContaining('secret.env'),
    });
    expect(readFileSync(path('secret.env'), 'utf8')).toBe('precious');
  });

  test('is left alone if it is on another branch, whatever it contains', async () => {
    const merge = await mergeOf({ 'app.txt': withLine(2, 'mine') });
    await git(here.repository, 'checkout', '--quiet', '-b', 'something-else');
    writeFileSync(path('app.txt'), 'precious');
    await merge();
    expect(readFileSync(path('app.txt'), 'utf8')).toBe('precious');
    expect(await here.hand.readOnBase('app.txt')).toBe(withLine(2, 'mine'));
  });

  test('is updated when the forge is reopened after a crash that came right after the base was updated; if that is impossible, the forge reports why', async () => {
    for (const [branch, changed] of [
      ['eng-1', false],
      ['eng-2', true],
    ] as const) {
      const { number, headSha } = await pullRequest(here, forge, branch, { 'app.txt': withLine(2, branch) });
      const baseSha = await here.hand.baseSha();
      const tree = await git(here.repository, 'rev-parse', `${headSha}^{tree}`);
      const commit = await git(here.repository, 'commit-tree', tree, '-p', baseSha, '-m', 'squashed');
      const file = join(here.state, 'pull-requests', `${number}.${branch}.json`);
      const record = JSON.parse(readFileSync(file, 'utf8'));
      writeFileSync(file, JSON.stringify({ ...record, attempts: [{ commit, headSha, baseSha }] }));
      await git(here.repository, 'update-ref', 'refs/heads/main', commit);
      if (changed) writeFileSync(path('app.txt'), 'precious');

      const again = await here.reopen();
      expect(await read(again, branch)).toMatchObject({ state: 'merged', mergedSha: commit, headSha });
      expect(await again.merge(number, { headSha, baseSha })).toEqual({ mergedSha: commit });
      expect(readFileSync(path('app.txt'), 'utf8')).toBe(changed ? 'precious' : withLine(2, branch));
    }
    expect(here.faults).toMatchObject([
      { code: 'forge.work_tree_behind', message: expect.stringContaining('uncommitted changes') },
    ]);
  });

  test('is updated without running the repository’s hooks or using the daemon’s GIT_ variables', async () => {
    await here.hand.commit('eng-1', { 'a.txt': 'a' });
    await git(here.repository, 'config', 'core.hooksPath', here.folder);
    for (const hook of ['reference-transaction', 'post-checkout', 'post-index-change', 'pre-commit']) {
      writeFileSync(join(here.folder, hook), `#!/bin/sh\ntouch ${here.folder}/hooked\nexit 1\n`);
      chmodSync(join(here.folder, hook), 0o755);
    }
    const environment = {
      ...here.options().environment,
      GIT_DIR: '/nowhere',
      GIT_INDEX_FILE: '/nowhere/index',
      GIT_AUTHOR_NAME: 'Nobody',
    };
    const other = await here.open({ environment });
    const headSha = await other.push('eng-1', here.hand.workspace('eng-1'));
    const number = await other.open('eng-1', {
      issue: 'ENG-1',
      title: 't',
      body: '',
      draft: false,
      author: 'a',
    });
    const { mergedSha } = await other.merge(number, { headSha, baseSha: await here.hand.baseSha() });
    expect(await git(here.repository, 'log', '-1', '--format=%an <%ae> %cn', mergedSha)).toBe(
      'Legion <legion@example.org> Legion',
    );
    expect(await here.hand.messageOf(mergedSha)).toContain('Closes ENG-1');
    expect(existsSync(join(here.folder, 'hooked'))).toBe(false);
    expect(readFileSync(path('a.txt'), 'utf8')).toBe('a');
  });
});
