/** Tests that rows written by another program affect only their own issue. */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import {
  type LocalFileBoard,
  openLocalBoard,
} from '../../../../src/integrations/local/tracker/open-local-board.ts';
import { expectSane, expectSaneComments, HOSTILE_TEXTS } from '../../../ports/tracker/hostile-values.ts';
import { NEW_ISSUE, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { useBoard } from './board.ts';

const { path, open } = useBoard();
let board: LocalFileBoard;

beforeEach(async () => {
  board = (await open()) as LocalFileBoard;
  for (const key of ['one', 'two', 'three']) await put(board, key);
  await board.relabel('LEG-2', { add: ['odd'], remove: [] });
  for (const issue of ['LEG-1', 'LEG-2', 'LEG-3']) await board.say(issue, 'ada', 'A word');
});

/** Writes to the file without checking references, as `sqlite3` does by default. */
function write(sql: string, ...values: readonly (string | number)[]): void {
  const db = new DatabaseSync(path(), { enableForeignKeyConstraints: false });
  db.prepare(sql).run(...values);
  db.close();
}

async function listWithout(id: string) {
  return (await board.list(SIGNAL)).filter((issue) => issue.id !== id);
}

const TEXTS = ['title', 'body', 'status', 'parent'].flatMap((column) =>
  Object.entries(HOSTILE_TEXTS).map(([what, text]) => [what, column, text] as const),
);

test.each(TEXTS)(
  'limits the effect of %s in the database column %s to the issue that contains it',
  async (_, column, text) => {
    const others = await listWithout('LEG-2');
    write(`UPDATE issues SET ${column} = ? WHERE id = 'LEG-2'`, text);
    expect(await listWithout('LEG-2')).toEqual(others);
    const hostile = (await board.list(SIGNAL)).find(({ id }) => id === 'LEG-2');
    if (hostile !== undefined) expectSane(hostile);
    expect(hostile).toEqual(await board.read('LEG-2', SIGNAL));
  },
);

test.each(['created_at', 'entered_at'])(
  'reports an infinite time in the database column %s only on the issue that contains it',
  async (column) => {
    const others = await listWithout('LEG-2');
    for (const time of ['9e999', '-9e999', '1e300']) {
      write(`UPDATE issues SET ${column} = ${time} WHERE id = 'LEG-2'`);
      const hostile = await board.read('LEG-2', SIGNAL);
      if (hostile !== undefined) expectSane(hostile);
      expect(hostile?.problems).toEqual([{ text: expect.stringContaining('invalid time'), holds: false }]);
      expect(() => new Date(hostile?.createdAt ?? 0).toISOString()).not.toThrow();
      expect(await listWithout('LEG-2')).toEqual(others);
    }
  },
);

test('holds an issue whose blocker is not on the board until the blocker is removed', async () => {
  const others = await listWithout('LEG-2');
  write("INSERT INTO blockers VALUES ('LEG-2', 'LEG-99')");
  const problems = (await board.read('LEG-2', SIGNAL))?.problems;
  expect(problems).toEqual([
    { text: expect.stringContaining('Blocked by LEG-99, which is not on the board.'), holds: true },
  ]);
  expect(problems?.[0]?.text).toContain('legion issue edit LEG-2 --not-blocked-by LEG-99');
  expect(await listWithout('LEG-2')).toEqual(others);
  await board.edit('LEG-2', { blockers: { add: [], remove: ['LEG-99'] } });
  expect(await board.read('LEG-2', SIGNAL)).not.toHaveProperty('problems');
});

test.each(['../x', '', '__proto__/..', 'a b', 'x'.repeat(500)])(
  'omits a row with the id %j and reports it',
  async (id) => {
    const others = await listWithout('LEG-2');
    write("UPDATE issues SET id = ? WHERE id = 'LEG-2'", id);
    expect(await board.list(SIGNAL)).toEqual(others);
    expect(board.problems()).toEqual([expect.stringContaining('A row of the board was left out: issue id ')]);
  },
);

test('limits the effect of hostile labels and comments to their own issue', async () => {
  const others = await listWithout('LEG-2');
  for (const text of Object.values(HOSTILE_TEXTS)) {
    write("UPDATE labels SET name = ? WHERE issue = 'LEG-2'", text);
    write("UPDATE comments SET text = ?, author = ?, at = 9e999 WHERE issue = 'LEG-2'", text, text);
    const hostile = await board.read('LEG-2', SIGNAL);
    if (hostile !== undefined) expectSane(hostile);
    expectSaneComments(await board.commentsSince('LEG-2', 0, SIGNAL));
    expect(await listWithout('LEG-2')).toEqual(others);
    await board.say('LEG-2', 'ada', 'It goes on');
    write("DELETE FROM comments WHERE text = 'It goes on'");
  }
});

test.each([
  ['a bidirectional override', 'gnp.\u202eexe'],
  ['an isolate', 'a\u2066b'],
  ['invisible tags', 'a\u{e0041}b'],
])('rejects %s in a title, a label or an author', async (_, text) => {
  const message = expect.stringContaining('contains invisible characters that change how it is displayed');
  const refused = { code: 'input.invalid', message };
  expect(await refusal(board.create('odd', { ...NEW_ISSUE, title: text }))).toMatchObject(refused);
  expect(await refusal(board.edit('LEG-1', { title: text }))).toMatchObject(refused);
  expect(await refusal(board.relabel('LEG-1', { add: [text], remove: [] }))).toMatchObject(refused);
  expect(await refusal(board.say('LEG-1', text, 'A word'))).toMatchObject(refused);
});

test('accepts a flag emoji that is encoded with tag characters in a title', async () => {
  const title = 'Support 🏴󠁧󠁢󠁳󠁣󠁴󠁿';
  await board.edit('LEG-1', { title });
  expect(await board.read('LEG-1', SIGNAL)).toMatchObject({ title });
});

test('returns the same data after the board is reopened', async () => {
  write("UPDATE issues SET title = char(8238) || 'odd' WHERE id = 'LEG-2'");
  const again = await openLocalBoard(path(), { prefix: 'LEG', now: Date.now });
  expect(await again.list(SIGNAL)).toEqual(await board.list(SIGNAL));
  await again.dispose();
});
