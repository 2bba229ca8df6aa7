/** A person takes an issue away from its worker. */
import { expect, test } from 'vitest';
import type { Explanation, WorkerView } from '../../../src/protocol/operator.ts';
import { waitForWord } from '../../daemon/life/signs.ts';
import type { Door } from '../../support/http-client.ts';
import { until } from '../../support/running-daemon.ts';
import { stage } from '../support/legion.ts';

const begin = stage();
const WAIT_MS = 60_000;

const STAYS = [{ steps: [{ say: 'thinking' }, waitForWord('never')] }];

function untilWorker(door: Door, wanted: (worker: WorkerView) => boolean): Promise<WorkerView | undefined> {
  return until(
    async () => (await door.get<WorkerView[]>('/workers')).find(wanted),
    (worker) => worker !== undefined,
    WAIT_MS,
  );
}

test('stops a worker whose issue is moved to the Icebox, and explains why', async () => {
  const life = await begin({ yaml: 'health: { stop_grace: 0s }\n', scenario: STAYS });
  const id = await life.add({ status: 'Todo' });
  await untilWorker(life.door, ({ status }) => status === 'executing');
  await life.door.post(`/issues/${id}/move`, { status: 'Icebox' });

  const worker = await untilWorker(
    life.door,
    ({ status, exit }) => status === 'stopped' && exit !== undefined,
  );
  expect(worker).toMatchObject({ mode: 'plan', attempt: 1, crashes: 0 });
  const { state, history } = await until(
    () => life.door.get<Explanation>(`/issues/${id}/explain`),
    (seen) => seen.state.reason === 'parked',
    WAIT_MS,
  );
  expect(state.labels).not.toContain('worker-active');
  expect(history.map(({ what }) => what).join('\n')).toContain(`was stopped: ${id} was moved to Icebox`);
});
