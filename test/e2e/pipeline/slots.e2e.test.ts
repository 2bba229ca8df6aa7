import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { doubleDispatches, mostAtOnce } from '../support/attempts.ts';
import { stage } from '../support/legion.ts';

const begin = stage();

function startsOf(events: readonly Event[]): number[] {
  return events.filter(({ type }) => type === 'attempt.dispatched').map(({ at }) => at);
}

test('an issue nobody understands waits in the Icebox with precise questions until a person has said more', async () => {
  const life = await begin({ yaml: 'limits: { per_mode: { plan: 0 } }\n' });
  const id = await life.add({ title: 'Make it better', body: 'It is slow.', labels: [] });
  await life.untilStatus(id, 'Icebox');
  const { comments } = await life.detail(id);
  expect(comments.map(({ by }) => by)).toEqual(['legion']);
  expect(comments[0]?.text.split('\n')).toEqual([
    'This needs a little more before work can begin:',
    '- What is the present behaviour, and what should it be instead?',
    '- What must be true when it is done (acceptance criteria)?',
    '- Which part is it about (a file, a command, a component)?',
  ]);
  expect((await life.door.events()).filter(({ type }) => type === 'attempt.dispatched')).toEqual([]);
  expect((await life.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['clarification', id]]);

  // A person may write an id as they like.
  await life.door.post(`/issues/${id.toLowerCase()}/comments`, {
    text: 'Starting takes a minute today; it should take ten seconds at most.',
  });
  await life.untilStatus(id, 'Todo');
  expect(await life.inbox()).toEqual([]);
  const { workers } = await life.detail(id);
  expect(workers.map(({ mode, status }) => [mode, status])).toEqual([['architect', 'finished']]);
  const after = await life.detail(id);
  expect(after.comments.filter(({ by }) => by === 'legion')).toHaveLength(1);
});

test('with one place no two workers are at work at once, urgent issues come first, and starts keep their distance', async () => {
  const life = await begin({
    yaml: 'limits: { workers: 1, per_mode: { implement: 0 } }\ndispatch: { stagger: 1s }\n',
  });
  await life.door.post('/pause', { by: 'Ada' });
  const added = [
    await life.add({ status: 'Todo' }),
    await life.add({ status: 'Todo', priority: 1 }),
    await life.add({ status: 'Backlog', priority: 2 }),
  ];
  await life.door.post('/resume', { by: 'Ada' });
  for (const id of added) await life.untilStatus(id, 'In Progress');
  const events = await life.door.events();
  expect(mostAtOnce(events, (mode) => mode !== 'review')).toBe(1);
  expect(doubleDispatches(events)).toEqual([]);
  const starts = startsOf(events);
  expect(starts).toHaveLength(4);
  const distances = starts.slice(1).map((at, index) => at - (starts[index] ?? at));
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(1_000);
  const order = events.flatMap((event) =>
    event.type === 'attempt.dispatched' ? [`${event.issue} ${event.mode}`] : [],
  );
  const [plain, urgent, high] = added;
  expect(order).toEqual([`${urgent} plan`, `${high} architect`, `${high} plan`, `${plain} plan`]);
});
