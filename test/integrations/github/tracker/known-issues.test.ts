/** Tests that an id refers to exactly one issue and is never parsed. */
import { expect, test } from 'vitest';
import { openKnownIssues } from '../../../../src/integrations/github/tracker/context.ts';

const ONE = { reference: { owner: 'a-b', repo: 'c', number: 1 }, node: 'I_1' };
const OTHER = { reference: { owner: 'a', repo: 'b-c', number: 1 }, node: 'I_2' };

test('finds an issue by its id, its repository and number, and GitHub’s own ids', () => {
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
  'if two issues share an id, always assigns it to the same one, with %j configured',
  (repositories, winner, loser) => {
    for (const seen of [
      [ONE, OTHER],
      [OTHER, ONE],
    ]) {
      const known = openKnownIssues();
      known.learn(seen, repositories);
      expect(known.of('a-b-c-1')).toMatchObject(winner);
      expect(known.idOf(loser.reference)).toBeUndefined();
      expect(known.idAt(loser.reference)).toBeUndefined();
      expect(known.idOf({ node: loser.node })).toBeUndefined();
      expect(known.ignored()).toEqual([expect.stringContaining('its id a-b-c-1 belongs to')]);
    }
  },
);

test('keeps an id assigned to the issue that had it first', () => {
  const known = openKnownIssues();
  known.learn([ONE], []);
  known.learn([OTHER], ['a/b-c']);
  expect(known.of('a-b-c-1')).toMatchObject(ONE);
});

test('treats ids that differ only in case as equal, like worker ids', () => {
  const known = openKnownIssues();
  known.learn([ONE, { reference: { owner: 'A', repo: 'B-C', number: 1 }, node: 'I_2' }], ['a-b/c']);
  expect(known.ignored()).toHaveLength(1);
});

test('accepts a repository name with a leading dot', () => {
  const known = openKnownIssues();
  known.learn([{ reference: { owner: 'acme', repo: '.github', number: 3 }, node: 'I_3' }], []);
  expect(known.of('acme-.github-3')).toMatchObject({ node: 'I_3' });
});

test('ignores an issue whose repository name does not make a valid id, and reports the issue', () => {
  const known = openKnownIssues();
  known.learn([{ reference: { owner: 'acme', repo: 'a..b', number: 3 }, node: 'I_3' }], []);
  expect(known.idOf({ node: 'I_3' })).toBeUndefined();
  expect(known.ignored()).toEqual([expect.stringContaining('acme/a..b#3 is ignored')]);
});
