/** What Linear says of an issue besides its state: project, parent, priority, assignee, addresses. */
import { expect, test } from 'vitest';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();

test('its project, parent, priority, assignee and addresses are told, and what it lacks is left out', async () => {
  const { linear, team, tracker, pass } = stage();
  const { people } = linear;
  const eng = team('ENG');
  people.project('Exporter', ['ENG']);
  people.issue('ENG', { creator: WRITER, title: 'Plain', state: 'Todo' });
  const rich = { creator: WRITER, title: 'Rich', description: 'Text.', state: 'Todo', priority: 1 } as const;
  people.issue('ENG', { ...rich, project: 'Exporter', parent: 'ENG-1' });
  people.attach('ENG-2', { url: 'https://b.example' });
  people.attach('ENG-2', { url: 'https://a.example' });
  people.assign(WRITER, 'ENG-2', WRITER);
  const legion = await tracker(eng);
  const [plain, other] = await legion.list(SIGNAL);
  expect(plain).toMatchObject({ title: 'Plain', body: '', priority: 0 });
  for (const name of ['project', 'parent', 'assignee', 'links']) expect(plain).not.toHaveProperty(name);
  expect(other).toMatchObject({
    ...{ body: 'Text.', priority: 1, project: 'Exporter', parent: 'ENG-1', assignee: WRITER },
    links: ['https://a.example', 'https://b.example'],
  });
  pass();
  people.putIntoProject(WRITER, 'ENG-2', null);
  people.assign(WRITER, 'ENG-2', null);
  people.edit(WRITER, 'ENG-2', { title: 'New', description: 'Other.', priority: 4 });
  const changed = (await legion.list(SIGNAL))[1];
  expect(changed).toMatchObject({ title: 'New', body: 'Other.', priority: 4 });
  for (const name of ['project', 'assignee']) expect(changed).not.toHaveProperty(name);
});

test('an address that is attached is seen with the next look, though the issue has not changed', async () => {
  const { linear, team, tracker, pass } = stage();
  const eng = team('ENG');
  linear.people.issue('ENG', { creator: WRITER, title: 'One', state: 'Todo' });
  pass(300);
  const legion = await tracker(eng);
  await legion.list(SIGNAL);
  linear.people.attach('ENG-1', { url: 'https://a.example' });
  expect(await legion.list(SIGNAL)).toMatchObject([{ links: ['https://a.example'] }]);
});

test('an address is attached once, whoever has attached it before', async () => {
  const { linear, team, tracker, asked } = stage();
  const eng = team('ENG');
  linear.people.issue('ENG', { creator: WRITER, title: 'One', state: 'Todo' });
  linear.people.attach('ENG-1', { url: 'https://a.example', title: 'By hand' });
  const legion = await tracker(eng);
  await legion.attach('ENG-1', { url: 'https://a.example', title: 'Mine' });
  expect(asked()).toEqual(['ReadIssue']);
  for (let time = 1; time <= 2; time += 1)
    await (await tracker(eng)).attach('ENG-1', { url: 'https://b.example', title: 'Mine' });
  expect(asked()).toEqual(['ReadIssue', 'LegionAttaches', 'ReadIssue']);
  expect(linear.snapshot().issues[0]?.attachments).toHaveLength(2);
});

test('since when it is in its column is Linear’s own word, the same after a restart and for every kind of state', async () => {
  const { linear, team, tracker, pass, clock } = stage();
  const eng = team('ENG');
  linear.people.issue('ENG', { creator: WRITER, title: 'One', state: 'Todo' });
  const legion = await tracker(eng);
  for (const state of ['Icebox', 'Backlog', 'In Progress', 'Testing', 'Done', 'Todo', 'Icebox', 'Canceled']) {
    pass(100);
    linear.people.move(WRITER, 'ENG-1', state);
    const enteredStatusAt = clock.now();
    pass(100);
    linear.people.edit(WRITER, 'ENG-1', { title: `Was ${state}` });
    for (const handle of [legion, await tracker(eng)])
      expect(await handle.list(SIGNAL)).toMatchObject([{ enteredStatusAt, column: state }]);
  }
});
