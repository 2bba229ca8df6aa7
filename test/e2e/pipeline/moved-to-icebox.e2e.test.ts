/** Tests an issue that a person moves to the Icebox while its worker is running. */
import { expect, test } from 'vitest';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import type { ApiClient } from '../../support/http-client.ts';
import { until } from '../../support/running-daemon.ts';
import { setUpDaemons } from '../support/legion.ts';
import { waitForSignal } from '../support/worker-signals.ts';

const startDaemon = setUpDaemons();
const WAIT_MS = 60_000;

const STAYS = [{ steps: [{ say: 'thinking' }, waitForSignal('never')] }];

function untilWorker(
  client: ApiClient,
  wanted: (worker: WorkerView) => boolean,
): Promise<WorkerView | undefined> {
  return until(
    async () => (await client.get<WorkerView[]>('/workers')).find(wanted),
    (worker) => worker !== undefined,
    WAIT_MS,
  );
}

test('stops a worker whose issue is moved to the Icebox, and explains why', async () => {
  const daemon = await startDaemon({ yaml: 'health: { stop_grace: 0s }\n', scenario: STAYS });
  const id = await daemon.add({ status: 'Todo' });
  await untilWorker(daemon.client, ({ status }) => status === 'executing');
  await daemon.client.post(`/issues/${id}/move`, { status: 'Icebox' });

  const worker = await untilWorker(
    daemon.client,
    ({ status, exit }) => status === 'stopped' && exit !== undefined,
  );
  expect(worker).toMatchObject({ mode: 'plan', attempt: 1, crashes: 0 });
  const { state, history } = await until(
    () => daemon.client.get<IssueExplanation>(`/issues/${id}/explain`),
    (seen) => seen.state.reason === 'parked',
    WAIT_MS,
  );
  expect(state.labels).not.toContain('worker-active');
  expect(history.map(({ what }) => what).join('\n')).toContain(`was stopped: ${id} was moved to Icebox`);
});
