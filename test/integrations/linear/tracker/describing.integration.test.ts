/**
 * Tests reading the fields of a Linear issue besides its state: project, parent, priority, assignee
 * and links.
 */
import { expect, test } from 'vitest';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const stage = useSimulated();

test('reads project, parent, priority, assignee and links, and omits missing ones', async () => {
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
    body: 'Text.',
    priority: 1,
    project: 'Exporter',
    parent: 'ENG-1',
    assignee: WRITER,
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

test('sees a new attachment in the next pass, although the issue has not changed', async () => {
  const { linear, team, tracker, pass } = stage();
  const eng = team('ENG');
  linear.people.issue('ENG', { creator: WRITER, title: 'One', state: 'Todo' });
  pass(300);
  const legion = await tracker(eng);
  await legion.list(SIGNAL);
  linear.people.attach('ENG-1', { url: 'https://a.example' });
  expect(await legion.list(SIGNAL)).toMatchObject([{ links: ['https://a.example'] }]);
});

test('attaches a URL once, even if a person attached it before', async () => {
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

test('reads from Linear when an issue entered its column, so that a restart does not change that time', async () => {
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
