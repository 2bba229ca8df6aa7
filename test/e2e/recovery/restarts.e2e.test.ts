import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import { giveWord, waitForWord } from '../../daemon/life/signs.ts';
import { randomFrom, SEED } from '../../ports/host/random.ts';
import { effort } from '../../support/effort.ts';
import { until } from '../../support/running-daemon.ts';
import { doubleDispatches, reportsOf } from '../support/attempts.ts';
import { type Life, stage } from '../support/legion.ts';

const begin = stage();

const WORKERS = 10;
const RESTARTS = effort(3, 100);
/** With SIGKILL, of the daemon as it is installed. */
const KILLS = effort(1, 5);
/** A daemon lives for less than its first look, or for several. */
const LIVES_MOST_MS = 300;
/** A restart takes a fifth of a second, a kill one; on a busy machine many times that. */
const TEST_MOST_MS = 60_000 + RESTARTS * 4_000 + KILLS * 20_000;

test(
  'however often the daemon is replaced, its workers live on: nobody is taken for dead, nobody is sent twice',
  async () => {
    const life = await begin({
      yaml: `limits: { workers: ${WORKERS}, per_mode: { implement: 0 } }\n`,
      scenario: [
        { steps: [{ say: 'at work' }, waitForWord('go'), { handoff: 'the plan' }, { done: 'planned' }] },
      ],
    });
    const random = randomFrom(SEED);
    const ids: string[] = [];
    for (let each = 0; each < WORKERS; each += 1) ids.push(await life.add({ status: 'Todo' }));
    const before = await until(
      () => present(life),
      (workers) => workers.filter((worker) => worker.endsWith('executing')).length === WORKERS,
      100_000,
    );
    const said = (restart: number) => `LEGION_SEED=${SEED}, restart ${restart}`;
    for (let restart = 1; restart <= RESTARTS; restart += 1) {
      await sleep(random() * LIVES_MOST_MS);
      await life.stop();
      await life.start();
      expect(await present(life), said(restart)).toEqual(before);
    }
    await life.stop();
    await life.startApart();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await sleep(random() * LIVES_MOST_MS);
      await life.kill();
      await life.startApart();
      expect(await present(life), `${said(RESTARTS)}, kill ${kill}`).toEqual(before);
    }

    giveWord(life.legion, 'go');
    for (const id of ids) await life.untilStatus(id, 'In Progress');
    const events = await life.door.events();
    expect(events.filter(({ type }) => /^attempt\.(?:crashed|stopped|paused)|^kill/.test(type))).toEqual([]);
    expect(events.filter(({ type }) => type === 'attempt.dispatched')).toHaveLength(WORKERS);
    expect(doubleDispatches(events)).toEqual([]);
    expect(reportsOf(events)).toEqual(ids.map(() => 'plan 1'));
    expect(events.filter(({ type }) => type === 'leader.elected')).toHaveLength(2 + RESTARTS + KILLS);
  },
  TEST_MOST_MS,
);

async function present({ door }: Life): Promise<readonly string[]> {
  const workers = await door.get<WorkerView[]>('/workers');
  return workers.map(({ id, attempt, pid, status }) => `${id} ${attempt} ${pid} ${status}`).sort();
}
