/** An id means one issue, and is never taken apart. */
import { expect, test } from 'vitest';
import { openKnownIssues } from '../../../../src/trackers/github/known-issues.ts';

const ONE = { place: { owner: 'a-b', repo: 'c', number: 1 }, node: 'I_1' };
const OTHER = { place: { owner: 'a', repo: 'b-c', number: 1 }, node: 'I_2' };

test('an issue is found by its id, its place and GitHub’s own ids', () => {
  const known = openKnownIssues();
  known.learn([ONE], []);
  known.learnItems(new Map([['PVTI_1', 'I_1']]));
  expect(known.of('a-b-c-1')).toEqual({ id: 'a-b-c-1', ...ONE });
  expect(known.idOf({ owner: 'A-B', repo: 'C', number: 1 })).toBe('a-b-c-1');
  expect(known.idOf({ node: 'I_1' })).toBe('a-b-c-1');
  expect(known.idOf({ node: 'PVTI_1' })).toBe('a-b-c-1');
  expect(known.idOf({ node: 'PVTI_2' })).toBeUndefined();
  expect(known.idOf({ owner: 'a-b', repo: 'c', number: 2 })).toBeUndefined();
  expect(known.of('A-B-C-1')).toBeUndefined();
});

test.each([
  [['a-b/c'], ONE, OTHER],
  [['a/b-c'], OTHER, ONE],
  [[], ONE, OTHER],
])(
  'of two that want one id, with %j configured, the same one always gets it',
  (repositories, winner, loser) => {
    for (const seen of [
      [ONE, OTHER],
      [OTHER, ONE],
    ]) {
      const known = openKnownIssues();
      known.learn(seen, repositories);
      expect(known.of('a-b-c-1')).toMatchObject(winner);
      expect(known.idOf(loser.place)).toBeUndefined();
      expect(known.idAt(loser.place)).toBeUndefined();
      expect(known.idOf({ node: loser.node })).toBeUndefined();
      expect(known.setAside()).toEqual([expect.stringContaining('its id a-b-c-1 is that of')]);
    }
  },
);

test('who has an id keeps it, whoever comes later', () => {
  const known = openKnownIssues();
  known.learn([ONE], []);
  known.learn([OTHER], ['a/b-c']);
  expect(known.of('a-b-c-1')).toMatchObject(ONE);
});

test('ids that differ only in capitals are the same, because those of workers are', () => {
  const known = openKnownIssues();
  known.learn([ONE, { place: { owner: 'A', repo: 'B-C', number: 1 }, node: 'I_2' }], ['a-b/c']);
  expect(known.setAside()).toHaveLength(1);
});

test('a repository’s name with a dot in front is an id like any other', () => {
  const known = openKnownIssues();
  known.learn([{ place: { owner: 'acme', repo: '.github', number: 3 }, node: 'I_3' }], []);
  expect(known.of('acme-.github-3')).toMatchObject({ node: 'I_3' });
});

test('a name that can be no id is set aside, and said', () => {
  const known = openKnownIssues();
  known.learn([{ place: { owner: 'acme', repo: 'a..b', number: 3 }, node: 'I_3' }], []);
  expect(known.idOf({ node: 'I_3' })).toBeUndefined();
  expect(known.setAside()).toEqual([expect.stringContaining('acme/a..b#3 is left alone')]);
});
