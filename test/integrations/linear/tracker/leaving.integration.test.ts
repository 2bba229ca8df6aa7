/**
 * Tests that an issue disappears from the board when it leaves and reappears when it comes back.
 */
import { expect, test } from 'vitest';
import { comments, labels, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { type Simulated, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const TEN_MINUTES_S = 10 * 60;

const stage = useSimulated();

async function board() {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  team('OPS');
  for (const title of ['One', 'Two', 'Three'])
    linear.people.issue('ENG', { creator: WRITER, title, state: 'Todo' });
  const legion = await tracker(eng);
  await legion.list(SIGNAL);
  stage().pass();
  const ids = async () => (await legion.list(SIGNAL)).map(({ id }) => id);
  return { legion, people: linear.people, ids };
}

const WAYS: Readonly<Record<string, (people: Simulated['linear']['people']) => void>> = {
  'was archived': (people) => people.archive(WRITER, 'ENG-2'),
  'was trashed': (people) => people.trash(WRITER, 'ENG-2'),
  'moved to another team': (people) => people.moveToTeam(WRITER, 'ENG-2', 'OPS'),
};

test.each(Object.entries(WAYS))('in the next pass, drops an issue that %s', async (_, leave) => {
  const { legion, people, ids } = await board();
  leave(people);
  expect(await ids()).toEqual(['ENG-1', 'ENG-3']);
  expect(stage().asked().at(-1)).toBe('BoardChanges');
  expect(await legion.read('ENG-2', SIGNAL)).toBeUndefined();
  expect(legion.idOf('ENG-2')).toBeUndefined();
  const calls = [
    () => legion.write('ENG-2', labels(['worker-done'])),
    () => legion.comment('ENG-2', 'key', 'text'),
    () => legion.putComment('ENG-2', 'key', 'text'),
    () => legion.commentsSince('ENG-2', 0, SIGNAL),
    () => legion.close('ENG-2'),
    () => legion.attach('ENG-2', { url: 'https://a.example', title: 'A' }),
  ];
  for (const call of calls) expect(await refusal(call())).toMatchObject({ code: 'tracker.issue_unknown' });
});

test('lists an archived or trashed issue again once a person restores it', async () => {
  const { people, ids } = await board();
  for (const leave of [people.archive, people.trash]) {
    leave(WRITER, 'ENG-2');
    expect(await ids()).toEqual(['ENG-1', 'ENG-3']);
    stage().pass();
    people.unarchive(WRITER, 'ENG-2');
    expect(await ids()).toEqual(['ENG-1', 'ENG-2', 'ENG-3']);
    stage().pass();
  }
});

test('treats an issue that returns from another team as new and drops its old id', async () => {
  const { legion, people, ids } = await board();
  expect(people.moveToTeam(WRITER, 'ENG-2', 'OPS')).toBe('OPS-1');
  expect(await ids()).toEqual(['ENG-1', 'ENG-3']);
  stage().pass();
  const id = people.moveToTeam(WRITER, 'OPS-1', 'ENG');
  expect(await ids()).toEqual(expect.arrayContaining(['ENG-1', id, 'ENG-3']));
  if (id !== 'ENG-2') expect(await legion.read('ENG-2', SIGNAL)).toBeUndefined();
});

test('after an issue is deleted, drops it from reads at once and from the list within ten minutes', async () => {
  const { legion, people, ids } = await board();
  people.delete('ENG-2');
  expect(await legion.read('ENG-2', SIGNAL)).toBeUndefined();
  stage().pass(TEN_MINUTES_S);
  expect(await ids()).toEqual(['ENG-1', 'ENG-3']);
});

test('in the next pass, drops a deleted issue if it had a blocker', async () => {
  const { people, ids } = await board();
  people.block('ENG-2', 'ENG-1');
  await ids();
  people.delete('ENG-2');
  expect(await ids()).toEqual(['ENG-1', 'ENG-3']);
});

test('never includes an issue of another team, whatever its number', async () => {
  const { legion, people, ids } = await board();
  people.issue('OPS', { creator: WRITER, title: 'Theirs' });
  expect(await ids()).toEqual(['ENG-1', 'ENG-2', 'ENG-3']);
  expect(await legion.read('OPS-1', SIGNAL)).toBeUndefined();
  expect(await refusal(comments(legion, 'OPS-1'))).toMatchObject({ code: 'tracker.issue_unknown' });
});

test('finds the issue of a wake-up by its UUID and by its identifier', async () => {
  const { legion } = await board();
  const [issue] = await legion.list(SIGNAL);
  if (issue?.source.kind !== 'linear') throw new Error('not a Linear issue');
  expect(issue.source.identifier).toBe('ENG-1');
  expect([legion.idOf(issue.source.uuid), legion.idOf('ENG-1')]).toEqual(['ENG-1', 'ENG-1']);
  expect([legion.idOf('ENG-999'), legion.idOf('')]).toEqual([undefined, undefined]);
  expect(legion.problems()).toEqual([]);
});
