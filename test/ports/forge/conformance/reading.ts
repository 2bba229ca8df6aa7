/** A read says what is there, at which commit, and never mistakes "unknown" for "none". */
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
    test('one read gives all of them, by branch', async () => {
      const forge = await present().fresh();
      const branches = ['eng-1', 'eng-2', 'eng-3'];
      for (const branch of branches)
        await pullRequest(present(), forge, branch, { [`${branch}.txt`]: branch });
      const found = await forge.pullRequests([...branches, 'eng-4', 'eng-1'], NEVER);
      expect([...found.keys()].sort()).toEqual(branches);
      for (const branch of branches)
        expect(found.get(branch)).toMatchObject({ changedFiles: [`${branch}.txt`] });
    });

    test('the head is the branch as it was pushed last', async () => {
      const forge = await present().fresh();
      const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      expect(await read(forge, 'eng-1')).toMatchObject({ headSha });
      const next = await present().hand.commit('eng-1', { 'b.txt': 'b' });
      expect(await forge.push('eng-1', present().hand.workspace('eng-1'))).toBe(next);
      expect(await read(forge, 'eng-1')).toMatchObject({ headSha: next, changedFiles: ['a.txt', 'b.txt'] });
    });

    test('size is counted from where the branch left the base; a renamed file shows both of its names', async () => {
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', { 'app.txt': undefined, 'moved.txt': LINES.join('') });
      await present().hand.commitToBase({ 'README.md': 'the base goes on\n' });
      const { changedFiles, additions, deletions } = await read(forge, 'eng-1');
      expect([...changedFiles].sort()).toEqual(['app.txt', 'moved.txt']);
      expect({ additions, deletions }).toEqual({ additions: 10, deletions: 10 });
    });

    test('a base that moved elsewhere leaves it mergeable, one that touched the same line makes it conflicting', async () => {
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', { 'app.txt': withLine(2, 'mine') });
      const elsewhere = await present().hand.commitToBase({ 'app.txt': withLine(9, 'theirs') });
      expect(await read(forge, 'eng-1')).toMatchObject({ mergeable: 'mergeable', baseSha: elsewhere });
      const same = await present().hand.commitToBase({ 'app.txt': withLine(2, 'theirs') });
      expect(await read(forge, 'eng-1')).toMatchObject({ mergeable: 'conflicting', baseSha: same });
    });

    if (without.outlivesItsBranch === undefined) {
      test('an open one whose branch was deleted is none until the branch is back', async () => {
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

    test('changes since a commit are the paths that differ; none since the head itself', async () => {
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

    test('changes since a commit that is not there are unknown, not none; so are all against such a head or base', async () => {
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
