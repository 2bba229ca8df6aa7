/**
 * Tests that a read reports the state at known commits, and never reports "none" if the state is
 * unknown.
 */
import { describe, expect, test } from 'vitest';
import {
  type Deviations,
  LINES,
  NEVER,
  NO_COMMIT,
  type Present,
  pullRequest,
  read,
  withLine,
} from './forge-under-test.ts';

export function reading(present: Present, without: Deviations = {}): void {
  describe('reading', () => {
    test('returns all pull requests by branch in one call', async () => {
      const forge = await present().fresh();
      const branches = ['eng-1', 'eng-2', 'eng-3'];
      for (const branch of branches)
        await pullRequest(present(), forge, branch, { [`${branch}.txt`]: branch });
      const found = await forge.pullRequests([...branches, 'eng-4', 'eng-1'], NEVER);
      expect([...found.keys()].sort()).toEqual(branches);
      for (const branch of branches)
        expect(found.get(branch)).toMatchObject({ changedFiles: [`${branch}.txt`] });
    });

    test("returns the branch's head as of the last push", async () => {
      const forge = await present().fresh();
      const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      expect(await read(forge, 'eng-1')).toMatchObject({ headSha });
      const next = await present().hand.commit('eng-1', { 'b.txt': 'b' });
      expect(await forge.push('eng-1', present().hand.workspace('eng-1'))).toBe(next);
      expect(await read(forge, 'eng-1')).toMatchObject({ headSha: next, changedFiles: ['a.txt', 'b.txt'] });
    });

    test('counts lines changed since the branch left the base, and lists both names of a renamed file', async () => {
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', { 'app.txt': undefined, 'moved.txt': LINES.join('') });
      await present().hand.commitToBase({ 'README.md': 'the base moves on\n' });
      const { changedFiles, additions, deletions } = await read(forge, 'eng-1');
      expect([...changedFiles].sort()).toEqual(['app.txt', 'moved.txt']);
      expect({ additions, deletions }).toEqual({ additions: 10, deletions: 10 });
    });

    test('reports mergeable after unrelated changes on the base, and conflicting after changes to the same line', async () => {
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', { 'app.txt': withLine(2, 'mine') });
      const elsewhere = await present().hand.commitToBase({ 'app.txt': withLine(9, 'theirs') });
      expect(await read(forge, 'eng-1')).toMatchObject({ mergeable: 'mergeable', baseSha: elsewhere });
      const same = await present().hand.commitToBase({ 'app.txt': withLine(2, 'theirs') });
      expect(await read(forge, 'eng-1')).toMatchObject({ mergeable: 'conflicting', baseSha: same });
    });

    if (without.outlivesItsBranch === undefined) {
      test('omits an open pull request while its branch is deleted', async () => {
        const forge = await present().fresh();
        const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
        await pullRequest(present(), forge, 'eng-2', { 'b.txt': 'b' });
        await present().hand.deleteBranch('eng-1');
        expect([...(await forge.pullRequests(['eng-1', 'eng-2'], NEVER)).keys()]).toEqual(['eng-2']);
        await present().hand.commit('eng-1', { 'c.txt': 'c' });
        await forge.push('eng-1', present().hand.workspace('eng-1'));
        expect(await read(forge, 'eng-1')).toMatchObject({ number });
      });
    }

    test('lists the paths that changed since a given commit, and none for the head itself', async () => {
      const forge = await present().fresh();
      const { headSha: first } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      const second = await present().hand.commit('eng-1', { 'docs/solutions/x.md': 'x', 'a.txt': undefined });
      await forge.push('eng-1', present().hand.workspace('eng-1'));
      const changes = await forge.changesSince([first, second], await read(forge, 'eng-1'), NEVER);
      expect(changes).toEqual(
        new Map([
          [first, { own: ['a.txt', 'docs/solutions/x.md'], overlap: [], rebased: false }],
          [second, { own: [], overlap: [], rebased: false }],
        ]),
      );
    });

    test('lists the changed files since the branch left the base, with lines and requested texts', async () => {
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', {
        'app.txt': withLine(2, 'mine'),
        'package.json': '{}\n',
        'logo.bin': 'a\0b\n',
        'README.md': undefined,
      });
      await present().hand.commitToBase({ 'other.txt': 'the base moves on\n' });
      const at = await read(forge, 'eng-1');
      const files = await forge.changedFiles(at, (path) => /^package|README/.test(path), NEVER);
      if (files === 'unknown') throw new Error('The changed files are unknown.');
      const [readme, app, logo, manifest] = files;
      expect(files).toHaveLength(4);
      expect(app).toEqual({ path: 'app.txt', lines: 2 });
      expect(logo).toEqual({ path: 'logo.bin', lines: 'binary' });
      expect(manifest).toEqual({ path: 'package.json', lines: 1, text: { before: '', after: '{}\n' } });
      expect(readme).toMatchObject({ path: 'README.md', text: { after: '' } });
    });

    test('reports a text that is too large as unreadable, and unreadable commits as unknown', async () => {
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', { 'package.json': 'x'.repeat(1_100_000) });
      const at = await read(forge, 'eng-1');
      expect(await forge.changedFiles(at, () => true, NEVER)).toEqual([
        { path: 'package.json', lines: 1, text: { unreadable: 'it is larger than 1000000 bytes' } },
      ]);
      expect(await forge.changedFiles({ ...at, headSha: NO_COMMIT }, () => true, NEVER)).toBe('unknown');
    });

    test('reports changes as unknown if the commit, the head or the base does not exist', async () => {
      const forge = await present().fresh();
      const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      const baseSha = await present().hand.baseSha();
      for (const sha of [NO_COMMIT, 'HEAD', '-x', '', 'main..eng-1', '\0']) {
        expect(await forge.changesSince([sha, headSha], { headSha, baseSha }, NEVER), sha).toEqual(
          new Map<string, unknown>([
            [sha, 'unknown'],
            [headSha, { own: [], overlap: [], rebased: false }],
          ]),
        );
        const unreadable = [
          { headSha: sha, baseSha },
          { headSha, baseSha: sha },
        ];
        for (const at of unreadable) {
          expect(await forge.changesSince([headSha, sha], at, NEVER), sha).toEqual(
            new Map([
              [headSha, 'unknown'],
              [sha, 'unknown'],
            ]),
          );
        }
      }
    });
  });
}
