import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import { until } from '../../support/running-daemon.ts';
import { githubStage } from './github-legion.ts';

const begin = githubStage();
const WAIT_MS = 60_000;

test('stops a worker whose issue a person closes on GitHub', { timeout: 3 * WAIT_MS }, async () => {
  const life = await begin({ rules: [{ steps: [{ say: 'thinking' }, { think: '600s' }] }] });
  const { github, seed } = life;
  const { project } = seed;
  const clear = { title: 'Greet by name', body: 'Export greet(name); an empty name throws an error.' };
  github.people.issue(DEMO_REPO, { author: 'ada', ...clear, project, status: 'Todo' });
  await life.start();
  life.listen();
  const untilPlan = (wanted: WorkerView['status']) =>
    until(
      async () => (await life.door.get<WorkerView[]>('/workers'))[0]?.status,
      (status) => status === wanted,
      WAIT_MS,
    );
  await untilPlan('executing');
  github.people.closeIssue('ada', DEMO_REPO, 1);
  expect(await untilPlan('stopped')).toBe('stopped');
  const events = await life.door.events();
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'attempt.stopped', why: 'legion-demo-1 was closed' }),
  );
});
