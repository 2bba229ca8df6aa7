/** A person's work tree that has the base checked out follows a merge, or refuses it before anything lands. */
import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Forge } from '../../../src/forges/forge.ts';
import { type Files, pullRequest, read, withLine } from '../conformance/harness.ts';
import { git } from '../git.ts';
import { refusal } from '../refusal.ts';
import { type World, world } from './world.ts';

describe('a work tree on the base', () => {
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

  test('follows the merge when it is clean', async () => {
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

  test('follows although files of a person that are not in git lie beside, and keeps them', async () => {
    const merge = await mergeOf({ 'a.txt': 'a' });
    writeFileSync(path('notes.txt'), 'mine');
    utimesSync(path('app.txt'), new Date(0), new Date(0)); // only touched
    await merge();
    expect(readFileSync(path('notes.txt'), 'utf8')).toBe('mine');
    expect(await status()).toBe('?? notes.txt');
  });

  test.each([
    ['a changed file', 'app.txt', false],
    ['a changed file that the merge does not touch', 'README.md', false],
    ['a staged file', 'README.md', true],
    ['a file that is not in git where the merge brings one', 'a.txt', false],
  ])('with %s it refuses the merge; nothing lands and nothing is lost', async (_, name, staged) => {
    const merge = await mergeOf({ 'app.txt': withLine(2, 'mine'), 'a.txt': 'a' });
    const before = await here.hand.baseSha();
    writeFileSync(path(name), 'precious');
    if (staged) await git(here.repository, 'add', name);
    expect(await refusal(merge())).toMatchObject({ code: 'forge.base_in_use', retryable: true });
    expect(await here.hand.baseSha()).toBe(before);
    expect(readFileSync(path(name), 'utf8')).toBe('precious');
    await git(here.repository, 'reset', '--quiet', '--hard');
    await git(here.repository, 'clean', '--quiet', '-fd');
    await merge();
    expect(await status()).toBe('');
  });

  test('an ignored file where the merge brings one is not overwritten either', async () => {
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

  test('one on another branch is left alone, whatever is in it', async () => {
    const merge = await mergeOf({ 'app.txt': withLine(2, 'mine') });
    await git(here.repository, 'checkout', '--quiet', '-b', 'something-else');
    writeFileSync(path('app.txt'), 'precious');
    await merge();
    expect(readFileSync(path('app.txt'), 'utf8')).toBe('precious');
    expect(await here.hand.readOnBase('app.txt')).toBe(withLine(2, 'mine'));
  });

  test('after a crash between base and work tree the next opening lets it follow, or says why it did not', async () => {
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
      { code: 'forge.work_tree_behind', message: expect.stringContaining('not committed') },
    ]);
  });

  test('hooks of the repository and GIT_ variables of the daemon have no say', async () => {
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
