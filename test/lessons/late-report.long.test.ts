import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Event } from '../../src/core/model/event.ts';
import type { WorkerView } from '../../src/protocol/workers.ts';
import { setUpDaemons } from '../e2e/support/legion.ts';
import { until } from '../support/running-daemon.ts';

const startDaemon = setUpDaemons();

const SHORT_LIMITS = `limits: { respawns: 1, per_mode: { implement: 0 } }
health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, heartbeat: 1s, breaker_crashes: 100,
    thinking: 2s, probe_silence: 1s, cpu_sign: 0.05s, term_to_kill: 0.5s, stop_grace: 0s }
`;

/** Steps that keep a worker busy and sending events for two seconds. */
const BUSY = Array.from({ length: 10 }, () => [{ say: 'at work' }, { think: '200ms' }]).flat();

/** Reads the worker token from the process environment. */
function tokenOf(pid: number | undefined): string {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return variables.find((each) => each.startsWith('LEGION_WORKER_TOKEN='))?.split('=')[1] ?? '';
}

function of(events: readonly Event[], type: Event['type']): unknown[] {
  return events.flatMap((event) => (event.type === type && 'attempt' in event ? [event.attempt] : []));
}

test('if a worker stopped for silence reports late, the report is kept, the kill is marked as wrong, and no other worker is stopped', async () => {
  const daemon = await startDaemon({
    yaml: SHORT_LIMITS,
    scenario: [
      { attempt: 1, steps: [{ say: 'thinking' }, { hang: 'silent' }] },
      { attempt: 2, steps: [...BUSY, { handoff: { summary: 'the plan' } }, { done: 'planned' }] },
    ],
  });
  const id = await daemon.add({ status: 'Todo' });
  const worker = () => daemon.client.get<WorkerView[]>('/workers').then(([one]) => one);
  const first = await until(worker, (one) => one?.status === 'executing', 100_000);
  const token = tokenOf(first?.pid);
  await until(worker, (one) => one?.attempt === 2 && one.status === 'executing', 100_000);

  const answer = await fetch(`${daemon.client.url}/worker/done`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ summary: 'I had finished after all' }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([200, { durable: true, accepted: false }]);
  expect((await worker())?.attempt).toBe(2);

  await daemon.untilStatus(id, 'In Progress');
  const events = await daemon.untilEvents('the kill is judged', (all) => of(all, 'kill.judged').length > 0);
  expect(of(events, 'attempt.reported')).toEqual([1, 2]);
  expect(of(events, 'attempt.report_accepted')).toEqual([2]);
  expect(of(events, 'attempt.crashed')).toEqual([1]);
  expect(events.find((event) => event.type === 'kill.judged')).toMatchObject({ right: false });
});
