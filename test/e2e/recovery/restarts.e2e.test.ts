import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { randomFrom, SEED } from '../../ports/host/random.ts';
import { chooseByEffort } from '../../support/effort.ts';
import { until } from '../../support/running-daemon.ts';
import { findDoubleDispatches, listReports } from '../support/attempts.ts';
import { setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { sendSignal, waitForSignal } from '../support/worker-signals.ts';

const startDaemon = setUpDaemons();

const WORKERS = 10;
const RESTARTS = chooseByEffort(3, 100);
/** Number of SIGKILLs sent to the installed daemon. */
const KILLS = chooseByEffort(1, 5);
/**
 * Maximum lifetime of a daemon in milliseconds. Some daemons are stopped before their first pass,
 * others after several passes.
 */
const MAX_RESTARTS_MS = 300;
/**
 * A restart takes a fifth of a second, and a kill takes one second. Both take many times longer on
 * a busy machine.
 */
const MAX_TEST_MS = 60_000 + RESTARTS * 4_000 + KILLS * 20_000;

test(
  'workers survive any number of daemon restarts, and none is declared dead or dispatched twice',
  async () => {
    const daemon = await startDaemon({
      yaml: `limits: { workers: ${WORKERS}, per_mode: { implement: 0 } }\n`,
      scenario: [
        { steps: [{ say: 'at work' }, waitForSignal('go'), { handoff: 'the plan' }, { done: 'planned' }] },
      ],
    });
    const random = randomFrom(SEED);
    const ids: string[] = [];
    for (let each = 0; each < WORKERS; each += 1) ids.push(await daemon.add({ status: 'Todo' }));
    const before = await until(
      () => present(daemon),
      (workers) => workers.filter((worker) => worker.endsWith('executing')).length === WORKERS,
      100_000,
    );
    const said = (restart: number) => `LEGION_SEED=${SEED}, restart ${restart}`;
    for (let restart = 1; restart <= RESTARTS; restart += 1) {
      await sleep(random() * MAX_RESTARTS_MS);
      await daemon.stop();
      await daemon.start();
      expect(await present(daemon), said(restart)).toEqual(before);
    }
    await daemon.stop();
    await daemon.startProcess();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await sleep(random() * MAX_RESTARTS_MS);
      await daemon.kill();
      await daemon.startProcess();
      expect(await present(daemon), `${said(RESTARTS)}, kill ${kill}`).toEqual(before);
    }

    sendSignal(daemon.legion, 'go');
    for (const id of ids) await daemon.untilStatus(id, 'In Progress');
    const events = await daemon.client.events();
    expect(events.filter(({ type }) => /^attempt\.(?:crashed|stopped|paused)|^kill/.test(type))).toEqual([]);
    expect(events.filter(({ type }) => type === 'attempt.dispatched')).toHaveLength(WORKERS);
    expect(findDoubleDispatches(events)).toEqual([]);
    expect(listReports(events)).toEqual(ids.map(() => 'plan 1'));
    expect(events.filter(({ type }) => type === 'leader.elected')).toHaveLength(2 + RESTARTS + KILLS);
  },
  MAX_TEST_MS,
);

async function present({ client }: TestDaemon): Promise<readonly string[]> {
  const workers = await client.get<WorkerView[]>('/workers');
  return workers.map(({ id, attempt, pid, status }) => `${id} ${attempt} ${pid} ${status}`).sort();
}
