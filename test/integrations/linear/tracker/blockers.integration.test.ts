/** Tests that the next pass sees every change to an issue's blockers, on this board and elsewhere. */
import { expect, test } from 'vitest';
import { put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();

async function board() {
  const { linear, team, tracker, pass } = stage();
  const eng = team('ENG');
  team('OPS');
  const { people } = linear;
  for (const title of ['One', 'Two', 'Three']) people.issue('ENG', { creator: WRITER, title, state: 'Todo' });
  people.issue('OPS', { creator: WRITER, title: 'Elsewhere', state: 'Todo' });
  const legion = await tracker(eng);
  await legion.list(SIGNAL);
  pass(300);
  await legion.list(SIGNAL);
  /**
   * Returns the issue's blockers as listed, after checking that a read of the issue returns the
   * same.
   */
  const waits = async (id: string) => {
    pass();
    stage().asked();
    const listed = (await legion.list(SIGNAL)).find((issue) => issue.id === id)?.openBlockers;
    expect(stage().asked()).toEqual(['BoardChanges']);
    expect((await legion.read(id, SIGNAL))?.openBlockers).toEqual(listed);
    return listed;
  };
  return { legion, eng, people, waits };
}

test('sees an added or removed relation at once, although it changes neither issue', async () => {
  const { people, waits } = await board();
  const relation = people.block('ENG-1', 'ENG-2');
  expect(await waits('ENG-1')).toEqual(['ENG-2']);
  people.block('ENG-1', 'ENG-3');
  expect(await waits('ENG-1')).toEqual(['ENG-2', 'ENG-3']);
  people.unblock(relation);
  expect(await waits('ENG-1')).toEqual(['ENG-3']);
});

test('respects a blocker in another team until the blocker is Done or a duplicate there, and again after it is reopened', async () => {
  const { people, waits } = await board();
  people.block('ENG-1', 'OPS-1');
  expect(await waits('ENG-1')).toEqual(['OPS-1']);
  people.move(WRITER, 'OPS-1', 'Done');
  expect(await waits('ENG-1')).toEqual([]);
  people.move(WRITER, 'OPS-1', 'In Progress');
  expect(await waits('ENG-1')).toEqual(['OPS-1']);
  people.move(WRITER, 'OPS-1', 'Duplicate');
  expect(await waits('ENG-1')).toEqual([]);
});

test('ignores a blocker in the trash', async () => {
  const { people, waits } = await board();
  people.block('ENG-1', 'ENG-2');
  people.block('ENG-1', 'OPS-1');
  expect(await waits('ENG-1')).toEqual(['ENG-2', 'OPS-1']);
  people.trash(WRITER, 'ENG-2');
  people.trash(WRITER, 'OPS-1');
  expect(await waits('ENG-1')).toEqual([]);
});

test('ignores the blockers of an issue while it is Done', async () => {
  const { people, waits } = await board();
  people.block('ENG-1', 'ENG-2');
  people.move(WRITER, 'ENG-1', 'Done');
  expect(await waits('ENG-1')).toEqual([]);
  people.move(WRITER, 'ENG-1', 'Todo');
  expect(await waits('ENG-1')).toEqual(['ENG-2']);
});

test('sees more new relations than one request returns', async () => {
  const { people, legion } = await board();
  for (let number = 4; number <= 40; number += 1)
    people.issue('ENG', { creator: WRITER, title: `Issue ${number}`, state: 'Todo' });
  await legion.list(SIGNAL);
  for (let number = 4; number <= 40; number += 1) people.block(`ENG-${number}`, 'ENG-1');
  const waiting = (await legion.list(SIGNAL)).filter(({ openBlockers }) => openBlockers.includes('ENG-1'));
  expect(waiting).toHaveLength(37);
});

test('watches more blocked issues than fit into one request', async () => {
  const { people, legion } = await board();
  const relations: string[] = [];
  for (let number = 4; number <= 130; number += 1) {
    people.issue('ENG', { creator: WRITER, title: `Issue ${number}`, state: 'Todo' });
    relations.push(people.block(`ENG-${number}`, 'OPS-1'));
  }
  const waiting = async () =>
    (await legion.list(SIGNAL)).filter(({ openBlockers }) => openBlockers.length > 0).length;
  expect(await waiting()).toBe(127);
  for (const relation of relations.slice(0, 100)) people.unblock(relation);
  expect(await waiting()).toBe(27);
  people.move(WRITER, 'OPS-1', 'Done');
  expect(await waiting()).toBe(0);
});

test('sets the blockers of a new issue when Legion creates it', async () => {
  const { legion, waits } = await board();
  stage().asked();
  const id = await put(legion, 'key', { blockedBy: ['ENG-2', 'ENG-3', 'ENG-2'], parent: 'ENG-1' });
  expect(stage().asked()).toEqual(['MadeIssue', 'LegionCreates']);
  expect(await waits(id)).toEqual(['ENG-2', 'ENG-3']);
  const made = stage()
    .linear.snapshot()
    .issues.find(({ identifier }) => identifier === id);
  expect(made?.blockedBy).toHaveLength(2);
});
