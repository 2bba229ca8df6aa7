/** What a person does to a local board. */
import { describe, expect, test } from 'vitest';
import { comments, labels, labelsOf, look, put, SIGNAL, statusOf } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { unchanged } from '../../../ports/tracker/unchanged.ts';
import { useBoard } from './board.ts';

const { open } = useBoard();

describe('editing', () => {
  test('changes what is named and nothing else', async () => {
    const board = await open();
    const id = await put(board, 'one', { title: 'Old', body: 'old', priority: 4, labels: ['bug'] });
    const before = await look(board, id);
    await board.edit(id, { title: 'New' });
    expect(await look(board, id)).toEqual({ ...before, title: 'New' });
    await board.edit(id, { body: '', priority: 0 });
    expect(await look(board, id)).toEqual({ ...before, title: 'New', body: '', priority: 0 });
    await unchanged(board, id, () => board.edit(id, {}));
  });

  test('changes text, labels and blockers together', async () => {
    const board = await open();
    const other = await put(board, 'other');
    const id = await put(board, 'one', { title: 'Old', labels: ['bug'] });
    await board.edit(id, {
      title: 'New',
      labels: { add: ['docs'], remove: ['bug'] },
      blockers: { add: [other], remove: [] },
    });
    expect(await look(board, id)).toMatchObject({ title: 'New', labels: ['docs'], openBlockers: [other] });
  });

  test('writes nothing at all where one part of it is refused', async () => {
    const board = await open();
    const [a, b] = [await put(board, 'a'), await put(board, 'b')];
    await board.edit(a, { blockers: { add: [b], remove: [] } });
    const labels = { add: ['docs'], remove: [] };
    await unchanged(board, b, async () => {
      const circle = board.edit(b, { title: 'New', labels, blockers: { add: [a], remove: [] } });
      expect(await refusal(circle)).toMatchObject({ code: 'tracker.cycle' });
      const blockers = { add: ['LEG-99'], remove: [] };
      expect(await refusal(board.edit(b, { labels, blockers }))).toMatchObject({
        code: 'tracker.issue_unknown',
      });
    });
  });

  test('refuses to overwrite what somebody else wrote meanwhile, and names it', async () => {
    const board = await open();
    const id = await put(board, 'one', { title: 'Old', body: 'old', priority: 4 });
    const read = { title: 'Old', body: 'old', priority: 4 } as const;
    await board.edit(id, { title: 'Theirs', priority: 1 });
    await unchanged(board, id, async () => {
      const mine = { title: 'Mine', body: 'mine', labels: { add: ['docs'], remove: [] } };
      expect(await refusal(board.edit(id, { ...mine, expected: read }))).toMatchObject({
        code: 'issue.changed',
        message: 'LEG-1 was changed by someone else meanwhile: its title, its priority',
      });
    });
    // Another part than the one that was changed.
    await board.edit(id, { body: 'mine', expected: { body: 'old' } });
    expect(await look(board, id)).toMatchObject({ title: 'Theirs', body: 'mine' });
  });
});

describe('labelling', () => {
  test('may touch any label, Legion’s too', async () => {
    const board = await open();
    const id = await put(board, 'one', { labels: ['bug'] });
    await board.write(id, labels(['worker-active']));
    await board.relabel(id, { add: ['human-approved', 'größer als'], remove: ['worker-active', 'absent'] });
    expect(await labelsOf(board, id)).toEqual(['bug', 'größer als', 'human-approved']);
  });

  test('tells labels apart that differ in case or in blanks within', async () => {
    const board = await open();
    const id = await put(board, 'one');
    await board.relabel(id, { add: ['Bug', 'bug', 'b ug'], remove: [] });
    await board.relabel(id, { add: [], remove: ['BUG'] });
    expect(await labelsOf(board, id)).toEqual(['Bug', 'b ug', 'bug']);
  });
});

describe('speaking', () => {
  test('keeps the author, who may be called like Legion and is a person all the same', async () => {
    const board = await open();
    const id = await put(board, 'one');
    await board.say(id, 'Ada Lovelace', 'Go on.');
    await board.say(id, 'legion', 'I am a person.');
    expect((await comments(board, id)).map(({ author, by }) => [author, by])).toEqual([
      ['Ada Lovelace', 'writer'],
      ['legion', 'writer'],
    ]);
  });
});

describe('moving', () => {
  test('opens a closed issue, also into the status it had', async () => {
    const board = await open();
    const id = await put(board, 'one', { status: 'Testing' });
    await board.close(id);
    expect((await look(board, id)).column).toBe('Closed');
    await board.move(id, 'Testing');
    expect(await statusOf(board, id)).toBe('Testing');
  });
});

describe('closing', () => {
  test('a late move by Legion shows only once a person opens it again, and does not count as entering', async () => {
    const board = await open();
    const id = await put(board, 'one', { status: 'In Progress' });
    await board.close(id);
    await unchanged(board, id, () => board.write(id, { moveTo: 'Testing', ...labels([]) }));
  });

  test('what was Done when it was closed may be taken back by Legion, as a rollback does', async () => {
    const board = await open();
    const id = await put(board, 'one', { status: 'Done' });
    await board.close(id);
    await board.write(id, { moveTo: 'In Progress', ...labels(['rollback']) });
    expect(await statusOf(board, id)).toBe('In Progress');
  });
});

describe('blocking', () => {
  test('comes and goes, and twice is once', async () => {
    const board = await open();
    const [id, other] = [await put(board, 'a'), await put(board, 'b')];
    for (let time = 1; time <= 2; time += 1) await board.edit(id, { blockers: { add: [other], remove: [] } });
    expect((await look(board, id)).openBlockers).toEqual([other]);
    for (let time = 1; time <= 2; time += 1) await board.edit(id, { blockers: { add: [], remove: [other] } });
    expect((await look(board, id)).openBlockers).toEqual([]);
  });

  test('in a circle is refused, with the circle named and nothing written', async () => {
    const board = await open();
    const [a, b, c] = [await put(board, 'a'), await put(board, 'b'), await put(board, 'c')];
    await board.edit(a, { blockers: { add: [b], remove: [] } });
    await board.edit(b, { blockers: { add: [c], remove: [] } });
    const before = await board.list(SIGNAL);
    expect(await refusal(board.edit(c, { blockers: { add: [a], remove: [] } }))).toMatchObject({
      code: 'tracker.cycle',
      message: 'LEG-3 cannot wait for LEG-1: LEG-3 → LEG-1 → LEG-2 → LEG-3',
    });
    expect(await refusal(board.edit(a, { blockers: { add: [a], remove: [] } }))).toMatchObject({
      code: 'tracker.cycle',
      message: 'LEG-1 cannot wait for LEG-1: LEG-1 → LEG-1',
    });
    expect(await board.list(SIGNAL)).toEqual(before);
  });

  test('a circle through an issue that is done is one as well: it may be taken back', async () => {
    const board = await open();
    const a = await put(board, 'a', { status: 'Done' });
    const b = await put(board, 'b', { blockedBy: [a] });
    expect(await refusal(board.edit(a, { blockers: { add: [b], remove: [] } }))).toMatchObject({
      code: 'tracker.cycle',
    });
  });

  test('a part of a split issue cannot wait for the whole, which waits for its parts', async () => {
    const board = await open();
    const whole = await put(board, 'whole');
    const later = await put(board, 'later', { blockedBy: [whole] });
    for (const blockedBy of [[whole], [later]]) {
      const call = put(board, 'part', { parent: whole, blockedBy });
      expect(await refusal(call)).toMatchObject({ code: 'tracker.cycle' });
    }
    expect(await board.list(SIGNAL)).toHaveLength(2);
    const first = await put(board, 'first', { parent: whole });
    const second = await put(board, 'second', { parent: whole, blockedBy: [first] });
    expect(await refusal(board.edit(first, { blockers: { add: [second], remove: [] } }))).toMatchObject({
      message: 'LEG-3 cannot wait for LEG-4: LEG-3 → LEG-4 → LEG-3',
    });
  });

  test('many ways to the same issue are no circle, and a long circle is named by its ends', async () => {
    const board = await open();
    const ids = [await put(board, 'issue 0')];
    for (let number = 1; number < 60; number += 1) {
      ids.push(await put(board, `issue ${number}`, { blockedBy: ids.slice(-3) }));
    }
    const fault = await refusal(board.edit('LEG-1', { blockers: { add: ['LEG-60'], remove: [] } }));
    expect(fault.message).toMatch(/^LEG-1 cannot wait for LEG-60: LEG-1 → LEG-60 → .* → … → .* → LEG-1$/);
    expect(fault.message.length).toBeLessThan(200);
  });

  test('an unknown issue on either side is refused by its name', async () => {
    const board = await open();
    const id = await put(board, 'a');
    for (const call of [
      () => board.edit(id, { blockers: { add: ['LEG-9'], remove: [] } }),
      () => board.edit('LEG-9', { blockers: { add: [id], remove: [] } }),
      () => board.edit(id, { blockers: { add: [], remove: ['LEG-9'] } }),
      () => board.edit('LEG-9', { blockers: { add: [], remove: [id] } }),
      () => board.edit('LEG-9', {}),
      () => board.relabel('LEG-9', { add: [], remove: [] }),
      () => board.move('LEG-9', 'Todo'),
      () => board.say('LEG-9', 'ada', 'text'),
    ]) {
      expect(await refusal(call())).toMatchObject({
        code: 'tracker.issue_unknown',
        message: 'LEG-9: is not on the board',
      });
    }
  });
});
