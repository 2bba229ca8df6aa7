import { expect, test } from 'vitest';
import { DEMO_REPO } from '../../../simulators/github/demo.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { until } from '../../support/running-daemon.ts';
import { setUpGithubDaemons } from './github-legion.ts';

const startDaemon = setUpGithubDaemons();
const WAIT_MS = 60_000;

test('stops a worker whose issue a person closes on GitHub', { timeout: 3 * WAIT_MS }, async () => {
  const daemon = await startDaemon({ rules: [{ steps: [{ say: 'thinking' }, { think: '600s' }] }] });
  const { github, seed } = daemon;
  const { project } = seed;
  const clear = { title: 'Greet by name', body: 'Export greet(name); an empty name throws an error.' };
  github.people.issue(DEMO_REPO, { author: 'ada', ...clear, project, status: 'Todo' });
  await daemon.start();
  daemon.sendWebhooks();
  const untilPlan = (wanted: WorkerView['status']) =>
    until(
      async () => (await daemon.client.get<WorkerView[]>('/workers'))[0]?.status,
      (status) => status === wanted,
      WAIT_MS,
    );
  await untilPlan('executing');
  github.people.closeIssue('ada', DEMO_REPO, 1);
  expect(await untilPlan('stopped')).toBe('stopped');
  const events = await daemon.client.events();
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'attempt.stopped', why: 'legion-demo-1 was closed' }),
  );
});
