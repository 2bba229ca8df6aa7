/**
 * Stops all workers in three situations: while a daemon is running, while none is, and together
 * with the daemon.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HealthView } from '../../../src/protocol/status.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { legionIn } from '../../cli/support/legion.ts';
import { listProcesses } from '../../support/end-workers.ts';
import { until } from '../../support/running-daemon.ts';
import { setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { sendSignal, waitForSignal } from '../support/worker-signals.ts';

const startDaemon = setUpDaemons();

const PLANNING = 'limits: { per_mode: { implement: 0 } }\n';
const WAITING = [
  {
    steps: [
      { say: 'thinking' },
      waitForSignal('on'),
      { handoff: { summary: 'the plan' } },
      { done: 'planned' },
    ],
  },
];

test('`legion stop --all` stops every worker although no daemon is running; the next daemon is halted, records no crash, and continues after a resume', async () => {
  const daemon = await startDaemon({ yaml: PLANNING, scenario: WAITING });
  await daemon.stop();
  await daemon.startProcess();
  const id = await daemon.add({ status: 'Todo' });
  const before = await untilExecuting(daemon, 1);
  await daemon.kill();
  expect(listProcesses(daemon.legion.state).length).toBeGreaterThan(0);
  for (const command of ['status', 'down']) {
    const { stderr } = await run(daemon, command);
    expect(stderr).toContain(`its workers are still running: ${id.toLowerCase()}-plan (pid ${before.pid}) [`);
    expect(stderr).toContain('`legion stop --all` stops them without a daemon.');
  }

  const stopped = await run(daemon, 'stop', '--all', '--why', 'the bill');
  expect(stopped, stopped.stderr).toMatchObject({ code: 0 });
  expect(stopped.stdout).toContain(`Stopped: ${id.toLowerCase()}-plan (pid ${before.pid})`);
  expect(stopped.stdout).toContain('`legion resume`');
  expect(listProcesses(daemon.legion.state)).toEqual([]);

  const haltFile = join(daemon.legion.state, 'halt.json');
  expect(existsSync(haltFile)).toBe(true);
  await daemon.start();
  expect(existsSync(haltFile)).toBe(false);
  const { starts } = await daemon.client.get<HealthView>('/health');
  expect(starts).toMatchObject({ allowed: false, kind: 'halt', why: expect.stringContaining('the bill') });
  expect(await workerOf(daemon)).toMatchObject({ status: 'stopped', attempt: 1, crashes: 0 });
  expect((await daemon.inbox())[0]).toMatchObject({ title: 'The legion is halted', next: 'legion resume' });

  await daemon.stop();
  await daemon.startProcess();
  expect((await daemon.client.get<HealthView>('/health')).starts).toMatchObject({ kind: 'halt' });
  const status = await run(daemon, 'status');
  expect(status.stdout).toContain('HALTED: halted by');
  expect(status.stdout).toContain('The legion is halted');

  await daemon.client.post('/resume', { by: 'ada' });
  const after = await untilExecuting(daemon, 2);
  expect(after).toMatchObject({ sessionId: before.sessionId, crashes: 0 });

  // Repeats the halt with a daemon, which stops the workers itself.
  const halted = await run(daemon, 'halt');
  expect(halted.stdout).toContain(`${id.toLowerCase()}-plan is stopping (without a grace period).`);
  await untilGone(daemon);
  expect(await workerOf(daemon)).toMatchObject({ status: 'stopped', attempt: 2, crashes: 0 });
});

test('`legion down` lists the workers that keep running; `legion down --stop` stops them; in both cases, the next daemon continues them', async () => {
  const daemon = await startDaemon({ yaml: PLANNING, scenario: WAITING });
  await daemon.stop();
  await daemon.startProcess();
  const id = await daemon.add({ status: 'Todo' });
  const { pid } = await untilExecuting(daemon, 1);
  const left = await run(daemon, 'down');
  expect(left.stdout).toContain(`${id.toLowerCase()}-plan (pid ${pid}, started `);
  expect(left.stdout).toContain('Run `legion stop --all` to stop them now');
  expect(listProcesses(daemon.legion.state)).toContain(pid);
  expect((await run(daemon, 'teams')).stdout).toMatch(/not running +1 still running/);
  const teams = JSON.parse((await run(daemon, 'teams', '--json')).stdout);
  expect(teams).toMatchObject([{ running: false, left: [{ worker: `${id.toLowerCase()}-plan`, pid }] }]);

  await daemon.startProcess();
  expect(await untilExecuting(daemon, 1)).toMatchObject({ pid });
  const stopped = await run(daemon, 'down', '--stop');
  expect(stopped.stdout).toContain(`Stopped: ${id.toLowerCase()}-plan.`);
  expect(listProcesses(daemon.legion.state)).toEqual([]);

  await daemon.startProcess();
  expect((await daemon.client.get<HealthView>('/health')).starts).toEqual({ allowed: true });
  expect(await untilExecuting(daemon, 2)).toMatchObject({ crashes: 0 });
  sendSignal(daemon.legion, 'on');
  await daemon.untilStatus(id, 'In Progress');
});

function run({ legion }: TestDaemon, ...args: string[]) {
  return legionIn({ cwd: legion.repository, env: legion.environment }, ...args);
}

async function workerOf(daemon: TestDaemon): Promise<WorkerView | undefined> {
  return (await daemon.client.get<WorkerView[]>('/workers'))[0];
}

async function untilExecuting(daemon: TestDaemon, attempt: number): Promise<WorkerView> {
  const worker = await until(
    () => workerOf(daemon),
    (found) => found?.status === 'executing' && found.attempt === attempt,
    100_000,
  );
  if (worker === undefined) throw new Error('there is no worker');
  return worker;
}

async function untilGone({ legion }: TestDaemon): Promise<void> {
  await until(
    async () => listProcesses(legion.state),
    (left) => left.length === 0,
    100_000,
  );
}
