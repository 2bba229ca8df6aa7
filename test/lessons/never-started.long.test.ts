import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setUpDaemons } from '../e2e/support/legion.ts';

const startDaemon = setUpDaemons();

/** Only one slot. A worker that never starts but keeps its slot would block all others. */
const ONE_PLACE = `limits: { workers: 1, respawns: 1, per_mode: { implement: 0 } }
credentials: { worker_env: [HOLD_ISSUE] }
health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, heartbeat: 1s, breaker_crashes: 100,
    not_started: 2s, probe_silence: 1s, cpu_sign: 0.05s, term_to_kill: 0.5s, stop_grace: 0s }
`;

test('if a worker never starts, replaces it only once, then asks a person and frees its slot', async () => {
  const preload = join(import.meta.dirname, '../support/slow-start.cjs');
  const daemon = await startDaemon({ preload, yaml: `${ONE_PLACE}auto_advance: false\n` });
  const [stuck, other] = [
    await daemon.add({ status: 'Todo', priority: 1 }),
    await daemon.add({ status: 'Todo' }),
  ];
  await daemon.stop();
  Object.assign(daemon.legion.environment, { HOLD_ISSUE: stuck });
  daemon.legion.reconfigure(ONE_PLACE);
  await daemon.start();

  await daemon.untilStatus(other, 'In Progress');
  await daemon.untilLabel(stuck, 'legion-paused');
  const { workers } = await daemon.detail(stuck);
  expect(workers.map(({ attempt, crashes }) => [attempt, crashes])).toEqual([[2, 2]]);
  expect((await daemon.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['paused', stuck]]);
  const events = await daemon.client.events();
  const evidence = events.flatMap((event) => (event.type === 'attempt.crashed' ? [event.evidence[0]] : []));
  expect(evidence).toEqual([
    expect.stringContaining('There has been no agent event since it started'),
    expect.stringContaining('There has been no agent event since it started'),
  ]);
});
