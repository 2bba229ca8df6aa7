/** Tests that invalid input is rejected with the exact path and writes nothing. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLocalBoard } from '../../../../src/integrations/local/tracker/open-local-board.ts';
import type { LocalBoard } from '../../../../src/ports/board-editor.ts';
import type { NewIssue } from '../../../../src/ports/tracker.ts';
import { comments, look, NEW_ISSUE, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { useBoard } from './board.ts';

const { open, path } = useBoard();

let board: LocalBoard;
beforeEach(async () => {
  board = await open();
  await put(board, 'one');
});
afterEach(() => board.dispose());

const KIB = 1_024;
const NUL = 'a\0b';
const HALF = 'half \ud83e';

test.each<[string, object, string]>([
  ['an empty title', { title: '' }, 'edit.title: must not be empty, got ""'],
  ['a blank title', { title: ' \u3000' }, 'edit.title: must not be empty, got " \\u3000"'],
  [
    'a long title',
    { title: 'x'.repeat(257) },
    'edit.title: must be of length at most 256, got a string of length 257',
  ],
  ['a title of two lines', { title: 'a\nb' }, 'edit.title: contains a control character, got "a\\nb"'],
  [
    'a lone surrogate',
    { title: HALF },
    'edit.title: contains a NUL character or a lone surrogate, got "half \\ud83e"',
  ],
  ['a number as title', { title: 5 }, 'edit.title: expected string, got number 5'],
  [
    'a body with a NUL',
    { body: NUL },
    'edit.body: contains a NUL character or a lone surrogate, got "a\\u0000b"',
  ],
  [
    'a large body',
    { body: 'x'.repeat(256 * KIB + 1) },
    'edit.body: is larger than 256 KiB, got a string of length 262145',
  ],
  [
    'a body with too many bytes',
    { body: 'ü'.repeat(128 * KIB + 1) },
    'edit.body: is larger than 256 KiB, got a string of length 131073',
  ],
  ['priority 5', { priority: 5 }, 'edit.priority: expected one of 0, 1, 2, 3, 4, got number 5'],
  ['priority -1', { priority: -1 }, 'edit.priority: expected one of 0, 1, 2, 3, 4, got number -1'],
  ['priority 1.5', { priority: 1.5 }, 'edit.priority: expected one of 0, 1, 2, 3, 4, got number 1.5'],
  ['a text as priority', { priority: '1' }, 'edit.priority: expected one of 0, 1, 2, 3, 4, got "1"'],
  ['an unknown part', { titel: 'x' }, 'edit: unknown key "titel"'],
])('rejects an edit with %s', async (_, edit, message) => {
  const before = await look(board, 'LEG-1');
  expect(await refusal(board.edit('LEG-1', edit))).toMatchObject({ code: 'input.invalid', message });
  expect(await look(board, 'LEG-1')).toEqual(before);
});

test('stores values at the maximum length in full', async () => {
  const edit = { title: 'x'.repeat(256), body: 'ü'.repeat(128 * KIB), priority: 4 } as const;
  await board.edit('LEG-1', edit);
  expect(await look(board, 'LEG-1')).toMatchObject(edit);
  await board.relabel('LEG-1', { add: ['x'.repeat(50)], remove: [] });
  expect((await look(board, 'LEG-1')).labels).toEqual(['x'.repeat(50)]);
});

test.each<[string, unknown, string]>([
  [
    'an empty label',
    { add: [''], remove: [] },
    'labels.add[0]: must not be empty, or start or end with a space, got ""',
  ],
  [
    'a label that ends with a space',
    { add: ['a '], remove: [] },
    'labels.add[0]: must not be empty, or start or end with a space, got "a "',
  ],
  [
    'a long label',
    { add: ['a', 'x'.repeat(51)], remove: [] },
    'labels.add[1]: must be of length at most 50, got a string of length 51',
  ],
  ['a bell', { add: ['a\u0007'], remove: [] }, 'labels.add[0]: contains a control character, got "a\\u0007"'],
  [
    'a C1 control',
    { add: [], remove: ['a\u009b'] },
    'labels.remove[0]: contains a control character, got "a\\u009b"',
  ],
  [
    'one label in both lists',
    { add: ['a'], remove: ['a'] },
    'labels: has the same label in both lists, got object',
  ],
  [
    'too many labels',
    { add: Array.from({ length: 101 }, (_, n) => `l${n}`), remove: [] },
    'labels.add: must be of length at most 100, got array of length 101',
  ],
  ['half a change', { add: [] }, 'labels.remove: is missing'],
])('rejects an invalid label change (%s)', async (_, change, message) => {
  const call = board.relabel('LEG-1', change as { add: string[]; remove: string[] });
  expect(await refusal(call)).toMatchObject({ code: 'input.invalid', message });
  expect((await look(board, 'LEG-1')).labels).toEqual([]);
});

test.each<[Partial<Record<keyof NewIssue | 'extra', unknown>>, string]>([
  [{ status: 'Closed' }, 'issue.status: expected one of "Triage", '],
  [{ labels: 'bug' }, 'issue.labels: expected array, got "bug"'],
  [{ blockedBy: ['../x'] }, 'issue.blockedBy[0]: is not a valid issue id, got "../x"'],
  [{ parent: 'a b' }, 'issue.parent: is not a valid issue id, got "a b"'],
  [{ extra: 1 }, 'issue: unknown key "extra"'],
  [{ title: undefined }, 'issue.title: is missing'],
])('rejects a new issue with %j without using up a number', async (parts, message) => {
  const fault = await refusal(board.create('two', { ...NEW_ISSUE, ...parts } as NewIssue));
  expect(fault).toMatchObject({ code: 'input.invalid', message: expect.stringContaining(message) });
  expect(await board.list(SIGNAL)).toHaveLength(1);
  expect(await put(board, 'two')).toBe('LEG-2');
});

describe('other input', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    [
      'a label that is not Legion’s',
      () => board.write('LEG-1', { labels: { add: ['bug' as 'rollback'], remove: [] } }),
      'change.labels.add[0]: expected one of "worker-active", ',
    ],
    [
      'an unknown status',
      () => board.write('LEG-1', { moveTo: 'Nowhere' as 'Done', labels: { add: [], remove: [] } }),
      'change.moveTo: expected one of "Triage", ',
    ],
    [
      'a person’s unknown status',
      () => board.move('LEG-1', 'Closed' as 'Done'),
      'status: expected one of "Triage", ',
    ],
    ['an empty key', () => board.comment('LEG-1', '', 'text'), 'key: must be of length at least 1, got ""'],
    [
      'an endless key',
      () => board.create('x'.repeat(20_000), NEW_ISSUE),
      'key: must be of length at most 16384, got a string of length 20000',
    ],
    ['an empty comment', () => board.comment('LEG-1', 'key', ' \n'), 'text: must not be empty, got " \\n"'],
    [
      'a large comment',
      () => board.say('LEG-1', 'ada', 'x'.repeat(256 * KIB + 1)),
      'text: is larger than 256 KiB, got a string of length 262145',
    ],
    [
      'a comment with a NUL',
      () => board.say('LEG-1', 'ada', NUL),
      'text: contains a NUL character or a lone surrogate, got "a\\u0000b"',
    ],
    [
      'a comment without an author',
      () => board.say('LEG-1', ' ', 'text'),
      'author: must not be empty, got " "',
    ],
    [
      'an author of two lines',
      () => board.say('LEG-1', 'a\nb', 'text'),
      'author: contains a control character, got "a\\nb"',
    ],
    [
      'an invalid time',
      () => board.commentsSince('LEG-1', Number.NaN, SIGNAL),
      'since: expected number, got number NaN',
    ],
  ])('rejects %s', async (_, call, message) => {
    const before = await look(board, 'LEG-1');
    const fault = await refusal(call());
    expect(fault).toMatchObject({ code: 'input.invalid', message: expect.stringContaining(message) });
    expect([await look(board, 'LEG-1'), await comments(board, 'LEG-1')]).toEqual([before, []]);
  });

  test.each(['', '1A', 'A-B', 'A B', '../A', 'Ä', 'x'.repeat(21)])(
    'rejects the prefix %j for a board',
    async (prefix) => {
      const call = openLocalBoard(path(), { prefix, now: Date.now });
      expect(await refusal(call)).toMatchObject({
        code: 'input.invalid',
        message: expect.stringMatching(/^prefix: /),
      });
    },
  );
});
