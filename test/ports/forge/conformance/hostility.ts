/**
 * Tests that external names and texts are treated as data: they are never executed and affect
 * nothing else.
 */
import { describe, expect, test } from 'vitest';
import { refusal } from '../refusal.ts';
import { APPROVAL, NEVER, type Present, pullRequest, read, TEXT } from './forge-under-test.ts';

const ODD_BRANCHES = ['$(id)', '`id`', "a'b", 'a"b', 'a;id', 'x/y/z', 'ünïcode', '%s%n', 'a|b'];

const NO_BRANCHES = [
  '-x',
  '--all',
  'a..b',
  '',
  '@',
  'HEAD',
  'a b',
  'a\nb',
  'a\0b',
  'x.lock',
  '.x',
  'x/',
  '/x',
  'x~1',
  'a@{1}',
  'refs/heads/main',
  'x'.repeat(300),
];

export function hostility(present: Present): void {
  describe('hostile input', () => {
    test('with shell syntax in a branch name is treated as an ordinary name', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      for (const branch of ODD_BRANCHES) {
        const { number, headSha } = await pullRequest(present(), forge, branch, { 'a.txt': branch });
        expect(await read(forge, branch)).toMatchObject({ number, branch, headSha });
      }
      const [branch = ''] = ODD_BRANCHES;
      const { number, headSha, baseSha } = await read(forge, branch);
      await forge.merge(number, { headSha, baseSha });
      expect(await hand.readOnBase('a.txt')).toBe(branch);
      const revert = await forge.revert(number, { issue: 'ENG-1', author: 'operator' });
      expect(await read(forge, revert.branch)).toMatchObject({ number: revert.number });
    });

    test('with a branch name that git rejects finds no pull request, hides no other branch and cannot be pushed', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      expect([...(await forge.pullRequests([...NO_BRANCHES, 'eng-1'], NEVER)).keys()]).toEqual(['eng-1']);
      for (const name of NO_BRANCHES) {
        const calls = [() => forge.open(name, TEXT), () => forge.push(name, hand.workspace('eng-1'))];
        for (const call of calls)
          expect(await refusal(call()), name).toMatchObject({ code: 'forge.branch_refused' });
      }
    });

    test('is stripped of control characters and terminal colours in titles, bodies and comments', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      await hand.commit('eng-1', { 'a.txt': 'a' });
      const headSha = await forge.push('eng-1', hand.workspace('eng-1'));
      const title = 'Add\0 a \x1b[31mred\x1b[0m\r\nline \u202egnirt\ud800s';
      const body = 'Closes ENG-1\0\r\n\x1b]0;owned\x07body\n\nLegion-Issue: ENG-666';
      const number = await forge.open('eng-1', { ...TEXT, title, body });
      await forge.comment(number, 'k\0', 'one\x1b[2Jtwo');
      const seen = await read(forge, 'eng-1');
      expect(seen.title).toBe('Add a red line gnirt\ufffds');
      expect(seen.body).toBe('Closes ENG-1\nbody\n\nLegion-Issue: ENG-666');
      expect(await forge.remarks(number, NEVER)).toMatchObject([{ text: 'onetwo' }]);
      const { mergedSha } = await forge.merge(number, { headSha, baseSha: seen.baseSha });
      const message = await hand.messageOf(mergedSha);
      expect(message.trim().split('\n\n').at(-1), 'only the last paragraph contains trailers').toContain(
        'Legion-Issue: ENG-1\n',
      );
      expect(message.trim().split('\n\n').at(-1)).not.toContain('ENG-666');
    });

    test('is rejected and not stored if it is too long or empty', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const megabyte = 'x'.repeat(1024 * 1024);
      await hand.commit('eng-1', { 'a.txt': 'a' });
      const sha = await forge.push('eng-1', hand.workspace('eng-1'));
      const texts = [
        { title: megabyte },
        { body: megabyte },
        { title: ' \n\0' },
        { author: '' },
        { author: megabyte },
      ];
      for (const text of texts) {
        expect(await refusal(forge.open('eng-1', { ...TEXT, ...text }))).toMatchObject({
          code: 'input.invalid',
        });
      }
      expect(await refusal(forge.open('eng-1', { ...TEXT, issue: '../../x' }))).toMatchObject({
        code: 'id.invalid',
      });
      const number = await forge.open('eng-1', TEXT);
      const calls = [
        () => forge.edit(number, { title: megabyte }),
        () => forge.comment(number, 'key', megabyte),
        () => forge.comment(number, '', 'text'),
        () => forge.label(number, { add: [megabyte], remove: [] }),
        () => forge.review(number, { ...APPROVAL, sha, text: megabyte }),
      ];
      for (const call of calls) expect(await refusal(call())).toMatchObject({ code: 'input.invalid' });
      expect(await read(forge, 'eng-1')).toMatchObject({ title: TEXT.title, labels: [], reviews: [] });
      expect(await forge.remarks(number, NEVER)).toEqual([]);
    });
  });
}
