import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { countMaxConcurrent, findDoubleDispatches } from '../support/attempts.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

function startsOf(events: readonly Event[]): number[] {
  return events.filter(({ type }) => type === 'attempt.dispatched').map(({ at }) => at);
}

test('an unclear issue waits in the Icebox with precise questions until a person has added details', async () => {
  const daemon = await startDaemon({ yaml: 'limits: { per_mode: { plan: 0 } }\n' });
  const id = await daemon.add({ title: 'Make it better', body: 'It is slow.', labels: [] });
  await daemon.untilStatus(id, 'Icebox');
  const { comments } = await daemon.detail(id);
  expect(comments.map(({ by }) => by)).toEqual(['legion']);
  expect(comments[0]?.text.split('\n')).toEqual([
    'This issue needs more detail before work can begin:',
    '- What is the current behaviour, and what should it be instead?',
    '- What must be true when it is done (acceptance criteria)?',
    '- Which part is it about (a file, a command, a component)?',
  ]);
  expect((await daemon.client.events()).filter(({ type }) => type === 'attempt.dispatched')).toEqual([]);
  expect((await daemon.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['clarification', id]]);

  // A person may write an id in upper or lower case.
  await daemon.client.post(`/issues/${id.toLowerCase()}/comments`, {
    text: 'Starting takes a minute today; it should take ten seconds at most.',
  });
  await daemon.untilStatus(id, 'Todo');
  expect(await daemon.inbox()).toEqual([]);
  const { workers } = await daemon.detail(id);
  expect(workers.map(({ mode, status }) => [mode, status])).toEqual([['architect', 'finished']]);
  const after = await daemon.detail(id);
  const posted = after.comments.filter(({ by }) => by === 'legion').map(({ text }) => text.split('\n')[0]);
  expect(posted.slice(1)).toEqual(['**Specification**']);
});

test('with one slot, only one worker runs at a time, urgent issues start first, and starts are at least the configured time apart', async () => {
  const daemon = await startDaemon({
    yaml: 'limits: { workers: 1, per_mode: { implement: 0 } }\ndispatch: { stagger: 1s }\n',
  });
  await daemon.client.post('/pause', { by: 'Ada' });
  const added = [
    await daemon.add({ status: 'Todo' }),
    await daemon.add({ status: 'Todo', priority: 1 }),
    await daemon.add({ status: 'Backlog', priority: 2 }),
  ];
  await daemon.client.post('/resume', { by: 'Ada' });
  for (const id of added) await daemon.untilStatus(id, 'In Progress');
  const events = await daemon.client.events();
  expect(countMaxConcurrent(events, (mode) => mode !== 'review')).toBe(1);
  expect(findDoubleDispatches(events)).toEqual([]);
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
