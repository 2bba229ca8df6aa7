/** Tests a person's operations on a local board. */
import { describe, expect, test } from 'vitest';
import { comments, labels, labelsOf, look, put, SIGNAL, statusOf } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { unchanged } from '../../../ports/tracker/unchanged.ts';
import { useBoard } from './board.ts';

const { open } = useBoard();

describe('editing', () => {
  test('changes only the given fields', async () => {
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

  test('writes nothing if one part is rejected', async () => {
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

  test('refuses to overwrite a concurrent edit, and lists the affected fields', async () => {
    const board = await open();
    const id = await put(board, 'one', { title: 'Old', body: 'old', priority: 4 });
    const read = { title: 'Old', body: 'old', priority: 4 } as const;
    await board.edit(id, { title: 'Theirs', priority: 1 });
    await unchanged(board, id, async () => {
      const mine = { title: 'Mine', body: 'mine', labels: { add: ['docs'], remove: [] } };
      expect(await refusal(board.edit(id, { ...mine, expected: read }))).toMatchObject({
        code: 'issue.changed',
        message: 'LEG-1 was changed by someone else in the meantime: its title, its priority',
      });
    });
    // An edit is accepted if it does not touch the field that another person changed.
    await board.edit(id, { body: 'mine', expected: { body: 'old' } });
    expect(await look(board, id)).toMatchObject({ title: 'Theirs', body: 'mine' });
  });
});

describe('labelling', () => {
  test('can change any label, including Legion’s', async () => {
    const board = await open();
    const id = await put(board, 'one', { labels: ['bug'] });
    await board.write(id, labels(['worker-active']));
    await board.relabel(id, { add: ['human-approved', 'größer als'], remove: ['worker-active', 'absent'] });
    expect(await labelsOf(board, id)).toEqual(['bug', 'größer als', 'human-approved']);
  });

  test('distinguishes labels by case and inner spaces', async () => {
    const board = await open();
    const id = await put(board, 'one');
    await board.relabel(id, { add: ['Bug', 'bug', 'b ug'], remove: [] });
    await board.relabel(id, { add: [], remove: ['BUG'] });
    expect(await labelsOf(board, id)).toEqual(['Bug', 'b ug', 'bug']);
  });
});

describe('commenting', () => {
  test('keeps the author, and treats an author with Legion’s name as a person', async () => {
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
  test('reopens a closed issue, even into its previous status', async () => {
    const board = await open();
    const id = await put(board, 'one', { status: 'Testing' });
    await board.close(id);
    expect((await look(board, id)).column).toBe('Closed');
    await board.move(id, 'Testing');
    expect(await statusOf(board, id)).toBe('Testing');
  });
});

describe('closing', () => {
  test('makes a late move by Legion ineffective: the issue and the time at which it entered its column stay the same', async () => {
    const board = await open();
    const id = await put(board, 'one', { status: 'In Progress' });
    await board.close(id);
    await unchanged(board, id, () => board.write(id, { moveTo: 'Testing', ...labels([]) }));
  });

  test('still lets Legion move a closed Done issue back, as a rollback does', async () => {
    const board = await open();
    const id = await put(board, 'one', { status: 'Done' });
    await board.close(id);
    await board.write(id, { moveTo: 'In Progress', ...labels(['rollback']) });
    expect(await statusOf(board, id)).toBe('In Progress');
  });
});

describe('blocking', () => {
  test('adds and removes a blocker idempotently', async () => {
    const board = await open();
    const [id, other] = [await put(board, 'a'), await put(board, 'b')];
    for (let time = 1; time <= 2; time += 1) await board.edit(id, { blockers: { add: [other], remove: [] } });
    expect((await look(board, id)).openBlockers).toEqual([other]);
    for (let time = 1; time <= 2; time += 1) await board.edit(id, { blockers: { add: [], remove: [other] } });
    expect((await look(board, id)).openBlockers).toEqual([]);
  });

  test('rejects a cycle, lists its issues and writes nothing', async () => {
    const board = await open();
    const [a, b, c] = [await put(board, 'a'), await put(board, 'b'), await put(board, 'c')];
    await board.edit(a, { blockers: { add: [b], remove: [] } });
    await board.edit(b, { blockers: { add: [c], remove: [] } });
    const before = await board.list(SIGNAL);
    expect(await refusal(board.edit(c, { blockers: { add: [a], remove: [] } }))).toMatchObject({
      code: 'tracker.cycle',
      message: 'LEG-3 cannot wait for LEG-1, because they would form a cycle: LEG-3 → LEG-1 → LEG-2 → LEG-3',
    });
    expect(await refusal(board.edit(a, { blockers: { add: [a], remove: [] } }))).toMatchObject({
      code: 'tracker.cycle',
      message: 'LEG-1 cannot wait for LEG-1, because they would form a cycle: LEG-1 → LEG-1',
    });
    expect(await board.list(SIGNAL)).toEqual(before);
  });

  test('rejects a cycle through a Done issue, because that issue may be reopened', async () => {
    const board = await open();
    const a = await put(board, 'a', { status: 'Done' });
    const b = await put(board, 'b', { blockedBy: [a] });
    expect(await refusal(board.edit(a, { blockers: { add: [b], remove: [] } }))).toMatchObject({
      code: 'tracker.cycle',
    });
  });

  test('does not let a sub-issue wait for its parent, because the parent waits for its sub-issues', async () => {
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
      message: 'LEG-3 cannot wait for LEG-4, because they would form a cycle: LEG-3 → LEG-4 → LEG-3',
    });
  });

  test('accepts many paths to the same issue, and shortens a long cycle in the message', async () => {
    const board = await open();
    const ids = [await put(board, 'issue 0')];
    for (let number = 1; number < 60; number += 1) {
      ids.push(await put(board, `issue ${number}`, { blockedBy: ids.slice(-3) }));
    }
    const fault = await refusal(board.edit('LEG-1', { blockers: { add: ['LEG-60'], remove: [] } }));
    expect(fault.message).toMatch(
      /^LEG-1 cannot wait for LEG-60, because they would form a cycle: LEG-1 → LEG-60 → .* → … → .* → LEG-1$/,
    );
    expect(fault.message.length).toBeLessThan(200);
  });

  test('rejects an unknown issue on either side and states its id', async () => {
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
        message: 'LEG-9 is not on the board',
      });
    }
  });
});
