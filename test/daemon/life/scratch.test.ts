import { test } from 'vitest';
import { stage } from './stage.ts';
const begin = stage();
test('x', async () => {
  const life = await begin({
    yaml: 'limits: { workers: 1, per_mode: { implement: 0 } }\ndispatch: { stagger: 1s }\n',
  });
  const t0 = Date.now();
  await life.door.post('/pause', { by: 'Ada' });
  const added = [
    await life.add({ status: 'Todo' }),
    await life.add({ status: 'Todo', priority: 1 }),
    await life.add({ status: 'Backlog', priority: 2 }),
  ];
  await life.door.post('/resume', { by: 'Ada' });
  for (const id of added) await life.untilStatus(id, 'In Progress');
  const events = await life.door.events();
  for (const e of events) console.log(e.at - t0, JSON.stringify({...e, at: undefined, epoch: undefined}).slice(0, 300));
});
