import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage } from '../e2e/support/legion.ts';

const begin = stage();

/** One place in all: whoever holds it for nothing keeps everybody else waiting. */
const ONE_PLACE = `limits: { workers: 1, respawns: 1, per_mode: { implement: 0 } }
credentials: { worker_env: [HOLD_ISSUE] }
health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, heartbeat: 1s, breaker_crashes: 100,
    not_started: 2s, probe_silence: 1s, cpu_sign: 0.05s, term_to_kill: 0.5s, stop_grace: 0s }
`;

test('a worker that never begins is replaced once, then given to a person, and its place is free for the next', async () => {
  const preload = join(import.meta.dirname, '../daemon/slow-start.cjs');
  const life = await begin({ preload, yaml: `${ONE_PLACE}auto_advance: false\n` });
  const [stuck, other] = [
    await life.add({ status: 'Todo', priority: 1 }),
    await life.add({ status: 'Todo' }),
  ];
  await life.stop();
  Object.assign(life.legion.environment, { HOLD_ISSUE: stuck });
  life.legion.reconfigure(ONE_PLACE);
  await life.start();

  await life.untilStatus(other, 'In Progress');
  await life.untilLabel(stuck, 'legion-paused');
  const { workers } = await life.detail(stuck);
  expect(workers.map(({ attempt, crashes }) => [attempt, crashes])).toEqual([[2, 2]]);
  expect((await life.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['paused', stuck]]);
  const events = await life.door.events();
  const evidence = events.flatMap((event) => (event.type === 'attempt.crashed' ? [event.evidence[0]] : []));
  expect(evidence).toEqual([
    expect.stringContaining('No agent event has come since its start'),
    expect.stringContaining('No agent event has come since its start'),
  ]);
});
