/**
 * Tests Linear's labels: of the team and of the workspace, inside and outside of groups, whatever
 * their case.
 */
import { expect, test } from 'vitest';
import { LABELS } from '../../../../src/core/model/label.ts';
import { labels, labelsOf, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();

async function board() {
  const { linear, team, tracker } = stage();
  const eng = team('ENG');
  linear.people.issue('ENG', { creator: WRITER, title: 'One', state: 'Todo', labels: ['bug'] });
  return { eng, legion: await tracker(eng), people: linear.people, linear };
}

test('creates missing labels in the team with one request and remembers them', async () => {
  const { legion, linear } = await board();
  await legion.write('ENG-1', { moveTo: 'In Progress', ...labels(['worker-active', 'needs-approval']) });
  expect(stage().asked()).toEqual(['ReadIssue', 'LabelsNamed', 'MakeLabels', 'LabelsNamed', 'LegionWrites']);
  expect(linear.snapshot().labels).toEqual(
    expect.arrayContaining(['worker-active', 'needs-approval'].map((name) => ({ name, team: 'ENG' }))),
  );
  await legion.write('ENG-1', labels(['worker-done'], ['worker-active']));
  await legion.write('ENG-1', labels(['worker-active'], ['worker-done']));
  expect(
    stage()
      .asked()
      .filter((name) => name === 'LegionWrites'),
  ).toHaveLength(2);
  stage().asked();
  await legion.write('ENG-1', {
    moveTo: 'Testing',
    ...labels(['worker-done'], ['worker-active', 'rollback']),
  });
  expect(stage().asked()).toEqual(['ReadIssue', 'LegionWrites']);
  expect(await labelsOf(legion, 'ENG-1')).toEqual(['bug', 'needs-approval', 'worker-done']);
});

test('uses a workspace label as it is, ignoring case', async () => {
  const { legion, people, linear } = await board();
  people.label({ name: 'Worker-Active' });
  people.label({ name: 'WORKER-DONE', team: 'ENG' });
  await legion.write('ENG-1', labels(['worker-active', 'worker-done']));
  expect(await labelsOf(legion, 'ENG-1')).toEqual(['bug', 'worker-active', 'worker-done']);
  expect(linear.snapshot().issues[0]?.labels).toEqual(
    expect.arrayContaining(['Worker-Active', 'WORKER-DONE']),
  );
  expect(stage().asked()).not.toContain('MakeLabels');
  await legion.write('ENG-1', labels([], ['worker-active', 'worker-done']));
  expect(linear.snapshot().issues[0]?.labels).toEqual(['bug']);
});

test('recognizes a label that a person added in capitals and does not add it twice', async () => {
  const { legion, people } = await board();
  people.setLabels(WRITER, 'ENG-1', { add: ['Human-Approved'] });
  expect(await legion.list(SIGNAL)).toMatchObject([{ labels: ['bug', 'human-approved'] }]);
  stage().asked();
  await legion.write('ENG-1', labels(['human-approved']));
  expect(stage().asked()).toEqual(['ReadIssue']);
});

test('if several labels belong to one exclusive group, keeps the last one and reports the group', async () => {
  const { legion, people } = await board();
  for (const name of ['worker-active', 'worker-done']) people.label({ name, team: 'ENG', group: 'Legion' });
  await legion.write('ENG-1', labels(['worker-active']));
  await legion.write('ENG-1', labels(['worker-done']));
  expect(await labelsOf(legion, 'ENG-1')).toEqual(['bug', 'worker-done']);
  expect(legion.problems()).toEqual([
    expect.stringMatching(/^worker-active, worker-done are in the label group Legion/),
  ]);
});

test('rejects a group with the name of a Legion label and states the next step', async () => {
  const { legion, people } = await board();
  people.label({ name: 'one', team: 'ENG', group: 'rollback' });
  const fault = await refusal(legion.write('ENG-1', labels(['rollback'])));
  expect(fault).toMatchObject({
    code: 'linear.refused',
    message: expect.stringContaining('rollback is a label group'),
  });
});

test('creates each label once if two daemons create them at once', async () => {
  const { eng, legion, linear } = await board();
  const daemons = [legion, await stage().tracker(eng), await stage().tracker(eng)];
  await Promise.all(daemons.map((daemon) => daemon.write('ENG-1', labels(LABELS))));
  const names = linear.snapshot().labels.map(({ name }) => name);
  expect(names.toSorted()).toEqual([...LABELS, 'bug'].toSorted());
  expect(await labelsOf(legion, 'ENG-1')).toEqual([...LABELS, 'bug'].toSorted());
});

test('survives a lost response while creating labels', async () => {
  const { legion, linear } = await board();
  linear.faults.next({ matching: 'MakeLabels', executed: true, answer: { status: 502 } });
  await legion.write('ENG-1', labels(['worker-active']));
  expect(await labelsOf(legion, 'ENG-1')).toEqual(['bug', 'worker-active']);
  expect(linear.snapshot().labels.filter(({ name }) => name === 'worker-active')).toHaveLength(1);
});
