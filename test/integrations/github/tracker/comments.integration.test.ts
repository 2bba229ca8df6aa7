/**
 * Tests that comments are read only as far back as requested. Also tests that posted comments
 * respect the size limit, notify nobody and can be found by key.
 */
import { expect, test } from 'vitest';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const ID = 'acme-app-1';
const MANY = 250;
/** GitHub's limit for a comment, in characters. */
const LIMIT = 65_536;

const stage = useSimulated();

async function opened() {
  const { github, board, tracker, asked } = stage();
  const project = board();
  github.people.issue(REPO, { author: WRITER, title: 'One', project, status: 'Icebox' });
  const legion = await tracker([project]);
  await legion.list(SIGNAL);
  asked();
  return { legion, project };
}

test('reads only the pages that contain requested comments, and returns all of those comments', async () => {
  const { legion } = await opened();
  const { github, pass, asked, clock } = stage();
  const times: number[] = [];
  for (let number = 1; number <= MANY; number += 1) {
    pass();
    times.push(clock.now());
    github.people.comment(WRITER, REPO, 1, `Comment ${number}`);
  }
  pass();
  for (const [since, pages] of [
    [MANY - 10, 1],
    [MANY - 101, 2],
    [0, 3],
  ] as const) {
    const found = await legion.commentsSince(ID, times[since] ?? 0, SIGNAL);
    const expected = Array.from({ length: MANY - since }, (_, index) => `Comment ${since + index + 1}`);
    expect(found.map(({ text }) => text)).toEqual(expected);
    expect(asked().filter((name) => name === 'CommentsPage')).toHaveLength(pages);
  }
});

test('finds a key among the oldest of many comments', async () => {
  const { legion, project } = await opened();
  const { github, tracker } = stage();
  await legion.comment(ID, 'key', 'First.');
  for (let number = 1; number <= MANY; number += 1)
    github.people.comment(WRITER, REPO, 1, `Comment ${number}`);
  await (await tracker([project])).comment(ID, 'key', 'Again.');
  expect(github.snapshot().issues[0]?.comments).toHaveLength(MANY + 1);
});

test('truncates text that is too long and disables mentions', async () => {
  const { legion } = await opened();
  await legion.comment(ID, 'long', `@${WRITER} ${'x'.repeat(LIMIT)}`);
  const [posted] = stage().github.snapshot().issues[0]?.comments ?? [];
  expect(posted?.body.length).toBeLessThanOrEqual(LIMIT);
  expect(posted?.body).not.toContain(`@${WRITER}`);
  expect((await legion.commentsSince(ID, 0, SIGNAL)).map(({ by, text }) => [by, text.slice(0, 6)])).toEqual([
    ['legion', `@${WRITER} x`],
  ]);
});

test.each(['half a character \ud800', 'a NUL \0'])('rejects %j before any request', async (text) => {
  const { legion } = await opened();
  expect(await refusal(legion.comment(ID, 'key', text))).toMatchObject({ code: 'input.invalid' });
  expect(stage().asked()).toEqual([]);
});
