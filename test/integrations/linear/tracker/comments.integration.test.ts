/** Tests that Linear comments are read completely and in order. */
import { expect, test } from 'vitest';
import { comments, put } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

/** More than two pages. */
const MANY = 120;

const stage = useSimulated();

async function board() {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  linear.people.issue('ENG', { creator: WRITER, title: 'One', state: 'Todo' });
  return { legion: await tracker(eng), eng, people: linear.people, linear };
}

test('includes replies in threads', async () => {
  const { legion, people } = await board();
  const question = people.comment(WRITER, 'ENG-1', 'Which one?');
  stage().pass();
  people.comment(WRITER, 'ENG-1', 'Besides.');
  stage().pass();
  people.comment(WRITER, 'ENG-1', 'The first.', question);
  expect((await comments(legion, 'ENG-1')).map(({ text }) => text)).toEqual([
    'Which one?',
    'Besides.',
    'The first.',
  ]);
});

test('reads many comments oldest first, either all of them or only those since a given time', async () => {
  const { legion, people } = await board();
  for (let time = 1; time <= MANY; time += 1) {
    people.comment(WRITER, 'ENG-1', `Comment ${time}`);
    stage().pass();
  }
  const all = await comments(legion, 'ENG-1');
  expect(all.map(({ text }) => text)).toEqual(
    Array.from({ length: MANY }, (_, index) => `Comment ${index + 1}`),
  );
  expect(await comments(legion, 'ENG-1', all[100]?.at)).toEqual(all.slice(100));
});

test('keeps the order of comments within one millisecond', async () => {
  const { legion, people } = await board();
  for (let time = 1; time <= 10; time += 1) people.comment(WRITER, 'ENG-1', `Comment ${time}`);
  expect((await comments(legion, 'ENG-1')).map(({ text }) => text)).toEqual(
    Array.from({ length: 10 }, (_, index) => `Comment ${index + 1}`),
  );
});

test('truncates a comment that is too long, with a note', async () => {
  const { legion } = await board();
  await legion.comment('ENG-1', 'key', `${'x'.repeat(70_000)}`);
  const [said] = await comments(legion, 'ENG-1');
  expect(said?.text.length).toBe(65_536);
  expect(said?.text).toMatch(/x\n\n… \(truncated: longer than Linear allows\)$/);
});

test('rejects an invalid key or text before any request', async () => {
  const { legion } = await board();
  stage().asked();
  for (const [key, text] of [
    ['', 'text'],
    ['\ud800', 'text'],
    ['key', 'a\0b'],
    ['key', '\ud800'],
  ] as const) {
    expect(await refusal(legion.comment('ENG-1', key, text))).toMatchObject({ code: 'input.invalid' });
  }
  for (const title of ['', ' ', 'x'.repeat(257), '\0'])
    expect(await refusal(put(legion, 'key', { title }))).toMatchObject({ code: 'input.invalid' });
  expect(stage().asked()).toEqual([]);
});

test('posts with one read and one write; if repeated, sends only the read', async () => {
  const { legion, eng } = await board();
  stage().asked();
  await legion.comment('ENG-1', 'key', 'Once.');
  expect(stage().asked()).toEqual(['MadeComment', 'LegionComments']);
  await (await stage().tracker(eng)).comment('ENG-1', 'key', 'Twice.');
  expect(stage().asked()).toEqual(['MadeComment']);
});

test('posts a comment with the same key once per legion', async () => {
  const { legion, eng } = await board();
  await legion.comment('ENG-1', 'key', 'One.');
  await (await stage().tracker(eng, { legion: 'another' })).comment('ENG-1', 'key', 'Two.');
  expect(await comments(legion, 'ENG-1')).toHaveLength(2);
});
