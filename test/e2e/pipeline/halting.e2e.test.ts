/** Stopping everything: with a daemon, without one, and together with it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HealthView, WorkerView } from '../../../src/protocol/operator.ts';
import { legionIn } from '../../cli/support/legion.ts';
import { giveWord, waitForWord } from '../../daemon/life/signs.ts';
import { processesOf } from '../../support/end-workers.ts';
import { until } from '../../support/running-daemon.ts';
import { type Life, stage } from '../support/legion.ts';

const begin = stage();

const PLANNING = 'limits: { per_mode: { implement: 0 } }\n';
const WAITING = [
  {
    steps: [
      { say: 'thinking' },
      waitForWord('on'),
      { handoff: { summary: 'the plan' } },
      { done: 'planned' },
    ],
  },
];

test('every worker is stopped without a daemon; the next one is halted, counts no crash, and continues after a resume', async () => {
  const life = await begin({ yaml: PLANNING, scenario: WAITING });
  await life.stop();
  await life.startApart();
  const id = await life.add({ status: 'Todo' });
  const before = await untilAtWork(life, 1);
  await life.kill();
  expect(processesOf(life.legion.state).length).toBeGreaterThan(0);
  for (const command of ['status', 'down']) {
    const { stderr } = await run(life, command);
    expect(stderr).toContain(`its workers still run: ${id.toLowerCase()}-plan (pid ${before.pid}) [`);
    expect(stderr).toContain('`legion stop --all` stops them without a daemon.');
  }

  const stopped = await run(life, 'stop', '--all', '--why', 'the bill');
  expect(stopped, stopped.stderr).toMatchObject({ code: 0 });
  expect(stopped.stdout).toContain(`Stopped: ${id.toLowerCase()}-plan (pid ${before.pid})`);
  expect(stopped.stdout).toContain('`legion resume`');
  expect(processesOf(life.legion.state)).toEqual([]);

  const haltFile = join(life.legion.state, 'halt.json');
  expect(existsSync(haltFile)).toBe(true);
  await life.start();
  expect(existsSync(haltFile)).toBe(false);
  const { starts } = await life.door.get<HealthView>('/health');
  expect(starts).toMatchObject({ allowed: false, kind: 'halt', why: expect.stringContaining('the bill') });
  expect(await workerOf(life)).toMatchObject({ status: 'stopped', attempt: 1, crashes: 0 });
  expect((await life.inbox())[0]).toMatchObject({ title: 'The legion is halted', next: 'legion resume' });

  await life.stop();
  await life.startApart();
  expect((await life.door.get<HealthView>('/health')).starts).toMatchObject({ kind: 'halt' });
  const status = await run(life, 'status');
  expect(status.stdout).toContain('HALTED: halted by');
  expect(status.stdout).toContain('The legion is halted');

  await life.door.post('/resume', { by: 'ada' });
  const after = await untilAtWork(life, 2);
  expect(after).toMatchObject({ sessionId: before.sessionId, crashes: 0 });

  // The same with a daemon, which stops them itself.
  const halted = await run(life, 'halt');
  expect(halted.stdout).toContain(`${id.toLowerCase()}-plan is stopping (without a grace period).`);
  await untilGone(life);
  expect(await workerOf(life)).toMatchObject({ status: 'stopped', attempt: 2, crashes: 0 });
});

test('the end of a daemon leaves workers running and says which, or stops them, and they continue with the next one', async () => {
  const life = await begin({ yaml: PLANNING, scenario: WAITING });
  await life.stop();
  await life.startApart();
  const id = await life.add({ status: 'Todo' });
  const { pid } = await untilAtWork(life, 1);
  const left = await run(life, 'down');
  expect(left.stdout).toContain(`${id.toLowerCase()}-plan (pid ${pid}, started `);
  expect(left.stdout).toContain('`legion stop --all` stops them now');
  expect(processesOf(life.legion.state)).toContain(pid);
  expect((await run(life, 'teams')).stdout).toMatch(/not running +1 still running/);
  const teams = JSON.parse((await run(life, 'teams', '--json')).stdout);
  expect(teams).toMatchObject([{ running: false, left: [{ worker: `${id.toLowerCase()}-plan`, pid }] }]);

  await life.startApart();
  expect(await untilAtWork(life, 1)).toMatchObject({ pid });
  const stopped = await run(life, 'down', '--stop');
  expect(stopped.stdout).toContain(`Stopped: ${id.toLowerCase()}-plan.`);
  expect(processesOf(life.legion.state)).toEqual([]);

  await life.startApart();
  expect((await life.door.get<HealthView>('/health')).starts).toEqual({ allowed: true });
  expect(await untilAtWork(life, 2)).toMatchObject({ crashes: 0 });
  giveWord(life.legion, 'on');
  await life.untilStatus(id, 'In Progress');
});

function run({ legion }: Life, ...args: string[]) {
  return legionIn({ cwd: legion.repository, env: legion.environment }, ...args);
}

async function workerOf(life: Life): Promise<WorkerView | undefined> {
  return (await life.door.get<WorkerView[]>('/workers'))[0];
}

async function untilAtWork(life: Life, attempt: number): Promise<WorkerView> {
  const worker = await until(
    () => workerOf(life),
    (found) => found?.status === 'executing' && found.attempt === attempt,
    100_000,
  );
  if (worker === undefined) throw new Error('there is no worker');
  return worker;
}

async function untilGone({ legion }: Life): Promise<void> {
  await until(
    async () => processesOf(legion.state),
    (left) => left.length === 0,
    100_000,
  );
}
