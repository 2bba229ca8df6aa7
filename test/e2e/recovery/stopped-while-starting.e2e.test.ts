import { expect, test } from 'vitest';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

test('a worker that is stopped while its workspace is being prepared never starts', async () => {
  const daemon = await startDaemon({
    files: { '.legion/config.yml': 'commands: { setup: [sleep, "1"], quality_gate: ["true"] }\n' },
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilEvents('dispatched', (events) =>
    events.some(({ type }) => type === 'attempt.dispatched'),
  );
  await daemon.client.post('/pause', { by: 'Ada' });
  await daemon.client.request('DELETE', `/workers/${id}-plan`);
  const events = await daemon.untilEvents('the start is settled', (all) =>
    all.some((event) => event.type === 'intent.settled' && /stopped/.test(event.detail)),
  );
  const ended = events.find((event) => event.type === 'intent.settled' && /stopped/.test(event.detail));
  expect(ended).toMatchObject({ outcome: 'superseded', detail: 'it was stopped before it started' });
  expect(events.filter(({ type }) => type === 'attempt.spawned')).toEqual([]);
  const { workers } = await daemon.detail(id);
  expect(workers.map(({ mode, status, pid }) => [mode, status, pid])).toEqual([
    ['plan', 'stopped', undefined],
  ]);
});
