/**
 * Tests that Linear's states are mapped to columns by name, except that states which end an issue
 * are mapped by type.
 */
import { describe, expect, test } from 'vitest';
import type { StateType } from '../../../../simulators/linear/simulator.ts';
import { hasEnded, requireState, resolveColumn } from '../../../../src/integrations/linear/tracker/column.ts';
import { labels, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { STATES, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();

describe('the column', () => {
  test.each<[string, StateType, string]>([
    ['In Progress', 'started', 'In Progress'],
    ['Somewhere', 'started', 'Somewhere'],
    ['Done', 'completed', 'Done'],
    ['Shipped', 'completed', 'Closed'],
    ['Todo', 'completed', 'Closed'],
    ['Canceled', 'canceled', 'Canceled'],
    ['Won’t do', 'canceled', 'Canceled'],
    ['Duplicate', 'duplicate', 'Duplicate'],
    ['Twin', 'duplicate', 'Duplicate'],
  ])('for state %s of type %s is %s', (name, type, column) => {
    expect(resolveColumn({ name, type }, {})).toBe(column);
  });

  test('keeps the name of a completed state that the configuration maps to Done', () => {
    expect(resolveColumn({ name: 'Shipped', type: 'completed' }, { Done: ['Shipped'] })).toBe('Shipped');
  });

  test('belongs to a finished issue if its state is named Done or has the type completed', () => {
    expect(hasEnded({ name: 'Done', type: 'started' }, {})).toBe(true);
    expect(hasEnded({ name: 'Shipped', type: 'completed' }, {})).toBe(true);
    expect(hasEnded({ name: 'Shipped', type: 'started' }, {})).toBe(false);
  });

  test('is not chosen for a move if its state’s name and type contradict each other', () => {
    const states = [
      { id: 'a', name: 'Todo', type: 'completed', position: 0 },
      { id: 'b', name: 'Today', type: 'unstarted', position: 1 },
    ];
    expect(requireState('Todo', states, {}).id).toBe('b');
  });
});

test('shows a renamed state on every issue, and moves issues into it by its new name', async () => {
  const { linear, team, tracker, asked } = stage();
  const { people } = linear;
  const eng = team('ENG');
  for (const title of ['One', 'Two']) people.issue('ENG', { creator: WRITER, title, state: 'Todo' });
  const names = { Todo: ['Ready'] };
  const legion = await tracker(eng, { columns: () => names });
  await legion.list(SIGNAL);
  people.renameState('ENG', 'Todo', 'Ready');
  stage().pass(300);
  await legion.list(SIGNAL);
  asked();
  const entered = (await legion.read('ENG-1', SIGNAL))?.enteredStatusAt;
  expect(await legion.list(SIGNAL)).toMatchObject([
    { column: 'Ready', enteredStatusAt: entered },
    { column: 'Ready' },
  ]);
  expect(asked()).toEqual(['ReadIssue', 'BoardChanges']);
  await legion.write('ENG-1', { moveTo: 'Testing', ...labels([]) });
  await legion.write('ENG-1', { moveTo: 'Todo', ...labels([]) });
  expect(linear.snapshot().issues.find(({ identifier }) => identifier === 'ENG-1')?.state).toBe('Ready');
});

test('moves an issue by the state’s own name, and sends nothing if the issue is already there', async () => {
  const { linear, tracker, asked } = stage();
  const states = STATES.map((state) =>
    state.name === 'Needs Review' ? { ...state, name: 'In Review' } : state,
  );
  const eng = linear.people.team({ key: 'ENG', name: 'Engineering', states });
  linear.people.issue('ENG', { creator: WRITER, title: 'One', state: 'Todo' });
  const legion = await tracker(eng);
  await legion.write('ENG-1', { moveTo: 'Needs Review', ...labels([]) });
  expect(linear.snapshot().issues[0]?.state).toBe('In Review');
  asked();
  await legion.write('ENG-1', { moveTo: 'Needs Review', ...labels([], ['worker-done']) });
  await legion.move('ENG-1', 'Needs Review');
  expect(asked()).toEqual(['ReadIssue', 'ReadIssue']);
});

test('moves a closed issue to the state named Canceled if there are several canceled states, or to any of them if none has that name', async () => {
  const { linear, tracker } = stage();
  const { people } = linear;
  const without = STATES.filter(({ type }) => type !== 'canceled');
  const states = [
    { name: 'Won’t do', type: 'canceled' },
    { name: 'Cancelled', type: 'canceled' },
  ] as const;
  const both = people.team({ key: 'ENG', name: 'Both', states: [...without, ...states] });
  const one = people.team({ key: 'OPS', name: 'One', states: [...without, states[0]] });
  const none = people.team({ key: 'QA', name: 'None', states: without });
  for (const key of ['ENG', 'OPS', 'QA']) people.issue(key, { creator: WRITER, title: 'One', state: 'Todo' });
  await (await tracker(both)).close('ENG-1');
  const legion = await tracker(one);
  await legion.close('OPS-1');
  expect(linear.snapshot().issues.map(({ state }) => state)).toEqual(
    expect.arrayContaining(['Cancelled', 'Won’t do', 'Todo']),
  );
  expect(await legion.list(SIGNAL)).toMatchObject([{ column: 'Canceled' }]);
  expect(await refusal((await tracker(none)).close('QA-1'))).toMatchObject({
    code: 'tracker.column_missing',
  });
});

test('lists the statuses that have no state, once the board has been read', async () => {
  const { linear, tracker } = stage();
  const states = STATES.filter(({ name }) => name !== 'Retro' && name !== 'Testing');
  const legion = await tracker(linear.people.team({ key: 'ENG', name: 'Engineering', states }));
  expect(legion.missingColumns?.()).toEqual([]);
  await legion.list(SIGNAL);
  expect(legion.missingColumns?.()).toEqual(['Testing', 'Retro']);
});

test('does not reopen an issue in a completed state that is not named Done', async () => {
  const { linear, tracker } = stage();
  const states = [...STATES, { name: 'Shipped', type: 'completed' } as const];
  const eng = linear.people.team({ key: 'ENG', name: 'Engineering', states });
  linear.people.issue('ENG', { creator: WRITER, title: 'One', state: 'Shipped' });
  const legion = await tracker(eng);
  await legion.write('ENG-1', { moveTo: 'Testing', ...labels(['worker-done']) });
  await legion.close('ENG-1');
  expect(await legion.list(SIGNAL)).toMatchObject([{ column: 'Closed', labels: ['worker-done'] }]);
  expect(linear.snapshot().issues[0]?.state).toBe('Shipped');
});

test('reads Linear’s own triage as the column Triage', async () => {
  const { linear, tracker } = stage();
  const states = STATES.filter(({ name }) => name !== 'Triage');
  const eng = linear.people.team({ key: 'ENG', name: 'Engineering', states, triage: true });
  linear.people.issue('ENG', { creator: WRITER, title: 'One' });
  expect(await (await tracker(eng)).list(SIGNAL)).toMatchObject([{ column: 'Triage' }]);
});
