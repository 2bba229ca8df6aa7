import { expect, test } from 'vitest';
import type { Event, EventOf } from '../../../src/core/model/event.ts';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

/**
 * Short limits, so that a hanging worker is found within seconds. Everything else is as in
 * production.
 */
const IMPATIENT = `limits: { respawns: 1, per_mode: { implement: 0 } }
health: { grace: 0s, thinking: 1s, probe_silence: 1s, after_step: 1s, heartbeat: 1s, backoff_first: 0.1s, kill_judged: 3s, cpu_sign: 10s }
`;

const of = <T extends Event['type']>(events: readonly Event[], type: T) =>
  events.filter((event): event is EventOf<T> => event.type === type);

const HANGS = [{ say: 'I look at it.' }, { hang: 'silent' }];

test('records a kill of a worker with its evidence in the journal, later judges whether the kill was right, and counts the kill in the metrics', async () => {
  const daemon = await startDaemon({ yaml: IMPATIENT, scenario: [{ attempt: 1, steps: HANGS }] });
  const id = await daemon.add({ status: 'Todo' });
  const events = await daemon.untilEvents('judged', (seen) => of(seen, 'kill.judged').length > 0);
  const [kill] = of(events, 'kill.performed');
  const [crash] = of(events, 'attempt.crashed');
  expect(kill).toMatchObject({ issue: id, mode: 'plan', attempt: 1, kill: 1, evidence: crash?.evidence });
  expect(kill?.evidence).toEqual(expect.arrayContaining(['ground=cpu', 'ground=session_file']));
  expect(kill?.flaggedAt).toBeLessThan(crash?.at ?? 0);
  expect(of(events, 'kill.judged')).toMatchObject([{ issue: id, kill: 1, right: true }]);
  const { url, token } = daemon.client;
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const figures = await answer.text();
  expect(figures).toContain('legion_kills{verdict="right"} 1\n');
  expect(figures).toContain('legion_kill_rate{verdict="right"} 1\n');
  expect(figures).toContain('legion_kill_rate{verdict="wrong"} 0\n');
  await daemon.untilStatus(id, 'In Progress');
});
