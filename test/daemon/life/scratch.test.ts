import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { until } from '../running.ts';
import { MERGING, stage } from './stage.ts';

const begin = stage();
const HAND_IN = [
  { commit: '${issue}: work' },
  { push: true },
  { pr_open: { title: '${issue}: work', body: 'Closes ${issue}' } },
  { done: 'handed in' },
];
test('x', async () => {
  const life = await begin({
    files: MERGING,
    scenario: [
      {
        issue: 'DEMO-1',
        phase: 'implement',
        attempt: 1,
        steps: [{ escape: '600s' }, { write: { path: 'greeting.txt', content: 'hello\n' } }, ...HAND_IN],
      },
    ],
  });
  const t0 = Date.now();
  const id = await life.add({ status: 'In Progress' });
  await life.untilStatus(id, 'Done');
  const { text } = await life.door.get<any>('/workers/demo-1-implement/logs?attempt=1');
  const escaped = Number(/escaped: process (\d+)/.exec(text)?.[1]);
  console.log(
    'done',
    Date.now() - t0,
    escaped,
    readFileSync(`/proc/${escaped}/stat`, 'utf8'),
    readFileSync(`/proc/${escaped}/environ`, 'utf8')
      .split('\0')
      .filter((x) => x.startsWith('LEGION_')),
  );
  const workspaces = join(life.legion.folder, 'data/legion/workspaces/demo');
  const left = async () => readdirSync(workspaces).filter((name) => name.startsWith('demo-'));
  await until(left, (names) => names.length === 0, 100_000);
  console.log(
    'left',
    Date.now() - t0,
    existsSync(`/proc/${escaped}`) && readFileSync(`/proc/${escaped}/stat`, 'utf8').slice(0, 30),
  );
  const events = await life.door.events();
  for (const e of events.slice(-30))
    console.log(e.at - t0, JSON.stringify({ ...e, at: undefined, epoch: undefined }).slice(0, 300));
});
