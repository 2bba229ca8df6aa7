import { expect, test } from 'vitest';
import { stage } from '../support/legion.ts';

const begin = stage();

test('a worker that is stopped while its workspace is prepared is never started', async () => {
  const life = await begin({
    files: { '.legion/config.yml': 'commands: { setup: [sleep, "1"], quality_gate: ["true"] }\n' },
  });
  const id = await life.add({ status: 'Todo' });
  await life.untilEvents('dispatched', (events) => events.some(({ type }) => type === 'attempt.dispatched'));
  await life.door.post('/pause', { by: 'Ada' });
  await life.door.request('DELETE', `/workers/${id}-plan`);
  const events = await life.untilEvents('the start is settled', (all) =>
    all.some((event) => event.type === 'intent.settled' && /stopped/.test(event.detail)),
  );
  const ended = events.find((event) => event.type === 'intent.settled' && /stopped/.test(event.detail));
  expect(ended).toMatchObject({ outcome: 'superseded', detail: 'it was stopped before it was started' });
  expect(events.filter(({ type }) => type === 'attempt.spawned')).toEqual([]);
  const { workers } = await life.detail(id);
  expect(workers.map(({ mode, status, pid }) => [mode, status, pid])).toEqual([
    ['plan', 'stopped', undefined],
  ]);
});
