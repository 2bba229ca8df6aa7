/** Labels of Linear: the team's and the workspace's, by their names without case, in groups or not. */
import { expect, test } from 'vitest';
import { LABELS } from '../../../../src/domain/label.ts';
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

test('those that are missing are made in the team, in one request, and known from then on', async () => {
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

test('one of the workspace is used as it is, however it is capitalised', async () => {
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

test('one that a person has put on in capitals is Legion’s own, and not put on twice', async () => {
  const { legion, people } = await board();
  people.setLabels(WRITER, 'ENG-1', { add: ['Human-Approved'] });
  expect(await legion.list(SIGNAL)).toMatchObject([{ labels: ['bug', 'human-approved'] }]);
  stage().asked();
  await legion.write('ENG-1', labels(['human-approved']));
  expect(stage().asked()).toEqual(['ReadIssue']);
});

test('of labels in one group an issue has the last one, and a person is told that they are in one', async () => {
  const { legion, people } = await board();
  for (const name of ['worker-active', 'worker-done']) people.label({ name, team: 'ENG', group: 'Legion' });
  await legion.write('ENG-1', labels(['worker-active']));
  await legion.write('ENG-1', labels(['worker-done']));
  expect(await labelsOf(legion, 'ENG-1')).toEqual(['bug', 'worker-done']);
  expect(legion.troubles()).toEqual([
    expect.stringMatching(/^worker-active, worker-done are in one group of labels, Legion/),
  ]);
});

test('a group that is called like a label of Legion’s is refused with what to do', async () => {
  const { legion, people } = await board();
  people.label({ name: 'one', team: 'ENG', group: 'rollback' });
  const fault = await refusal(legion.write('ENG-1', labels(['rollback'])));
  expect(fault).toMatchObject({
    code: 'linear.refused',
    message: expect.stringContaining('rollback is a group'),
  });
});

test('two daemons that make them at once make each once', async () => {
  const { eng, legion, linear } = await board();
  const daemons = [legion, await stage().tracker(eng), await stage().tracker(eng)];
  await Promise.all(daemons.map((daemon) => daemon.write('ENG-1', labels(LABELS))));
  const names = linear.snapshot().labels.map(({ name }) => name);
  expect(names.toSorted()).toEqual([...LABELS, 'bug'].toSorted());
  expect(await labelsOf(legion, 'ENG-1')).toEqual([...LABELS, 'bug'].toSorted());
});

test('an answer that is lost while they are made changes nothing for whoever waits', async () => {
  const { legion, linear } = await board();
  linear.faults.next({ matching: 'MakeLabels', executed: true, answer: { status: 502 } });
  await legion.write('ENG-1', labels(['worker-active']));
  expect(await labelsOf(legion, 'ENG-1')).toEqual(['bug', 'worker-active']);
  expect(linear.snapshot().labels.filter(({ name }) => name === 'worker-active')).toHaveLength(1);
});
