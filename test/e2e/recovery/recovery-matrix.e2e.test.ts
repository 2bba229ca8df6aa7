import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkerStatusView, WorkerView } from '../../../src/protocol/workers.ts';
import { until } from '../../support/running-daemon.ts';
import { findDoubleDispatches } from '../support/attempts.ts';
import { setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { findWorkspace, toSessionFile } from '../support/worker-files.ts';
import { killWorker } from '../support/worker-processes.ts';

const startDaemon = setUpDaemons();

const PLANNING = 'limits: { respawns: 1, per_mode: { implement: 0 } }\n';

/**
 * Short startup grace and silence limits, so that a test can wait for them. Their defaults are
 * minutes.
 */
const SHORT_LIMITS = `${PLANNING}health:
  { grace: 0.5s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, heartbeat: 1s, breaker_crashes: 100,
    thinking: 2s, probe_silence: 1s, cpu_sign: 0.05s, term_to_kill: 0.5s, stop_grace: 0s }
`;

/**
 * Steps that keep writing for about seven seconds. The daemon needs less time to find the other
 * workers dead.
 */
const BUSY = Array.from({ length: 35 }, () => [{ say: 'at work' }, { think: '200ms' }]).flat();

/**
 * A preload script that keeps the agent's Node process from running its first line until the test
 * lets it continue.
 */
const SLOW_START = join(import.meta.dirname, '../../support/slow-start.cjs');

const ROWS = [
  'nothing',
  'a process without a workspace',
  'only a workspace',
  'a workspace and a session',
  'a workspace and a process',
  'all three, and the session is fresh',
  'all three, and the session is stale',
  'only a session',
] as const;

/** Leaves one plan worker per row, as a stopped daemon would. */
async function leftBehind(daemon: TestDaemon): Promise<ReadonlyMap<(typeof ROWS)[number], WorkerView>> {
  const { legion, client } = daemon;
  const issues = new Map<string, string>();
  const go = join(legion.folder, 'go');
  for (const row of ROWS) {
    const isSlow = row === 'a workspace and a process';
    const id = await daemon.add({ status: isSlow ? 'Icebox' : 'Todo', title: row });
    issues.set(row, id);
    if (isSlow)
      await client.post('/workers', { issue: id, mode: 'plan', force: true, env: { HOLD_UNTIL: go } });
    if (isSlow) await client.post(`/issues/${id}/move`, { status: 'Todo' });
  }
  const workers = await until(
    () => client.get<WorkerView[]>('/workers'),
    (all) => all.filter(({ status }) => status === 'executing').length === ROWS.length - 1,
    100_000,
  );
  await daemon.stop();
  const found = new Map(
    ROWS.map((row) => {
      const worker = workers.find(({ issue }) => issue === issues.get(row));
      if (worker === undefined) throw new Error(`no worker: ${row}`);
      return [row, worker];
    }),
  );
  for (const [row, worker] of found) {
    if (!row.includes('process') && !row.includes('all three')) await killWorker(legion.state, worker.id);
    if ((!row.includes('workspace') && !row.includes('all three')) || row.includes('without'))
      rmSync(findWorkspace(legion, worker.issue), { recursive: true });
    if (!row.includes('session')) rmSync(toSessionFile(legion, worker), { force: true });
  }
  return found;
}

test('a starting daemon judges each worker by its workspace, process and session file, and acts accordingly', async () => {
  const daemon = await startDaemon({
    preload: SLOW_START,
    yaml: `${PLANNING}health: { grace: 0s, breaker_crashes: 100 }\n`,
    scenario: [
      {
        title: 'is fresh',
        attempt: 1,
        steps: [...BUSY, { handoff: { summary: 'the plan' } }, { done: 'planned' }],
      },
      {
        title: 'a workspace and a process',
        steps: [{ handoff: { summary: 'the plan' } }, { done: 'planned' }],
      },
      { attempt: 1, steps: [{ say: 'thinking' }, { hang: 'silent' }] },
    ],
  });
  const found = await leftBehind(daemon);
  const of = (row: (typeof ROWS)[number]) => found.get(row) as WorkerView;
  daemon.legion.reconfigure(SHORT_LIMITS);
  await daemon.start();
  const { client } = daemon;
  const now = (row: (typeof ROWS)[number]) => client.get<WorkerStatusView>(`/workers/${of(row).id}/status`);

  // Each worker that is dead or cannot continue is restarted once, in its own session, and does its
  // work.
  const evidence = {
    nothing: 'workspace=no',
    'a process without a workspace': 'Its process is running without a workspace',
    'only a workspace': 'session_file=missing',
    'a workspace and a session': 'it left no report',
    'all three, and the session is stale': 'It has been silent for',
  } as const;
  for (const row of Object.keys(evidence) as (keyof typeof evidence)[]) {
    await daemon.untilStatus(of(row).issue, 'In Progress');
    const { attempt, crashes, status, sessionId } = await now(row);
    expect([row, attempt, crashes, status, sessionId]).toEqual([row, 2, 1, 'finished', of(row).sessionId]);
  }
  const events = await client.events();
  const crashOf = (row: (typeof ROWS)[number]) =>
    events.flatMap((event) =>
      event.type === 'attempt.crashed' && event.issue === of(row).issue ? [event.evidence.join('\n')] : [],
    );
  for (const [row, words] of Object.entries(evidence))
    expect(crashOf(row as keyof typeof evidence)).toEqual([expect.stringContaining(words)]);
  // Only live processes were killed, and a person is notified about the worker without a workspace.
  const killed = events.flatMap((event) => (event.type === 'kill.performed' ? [event.issue] : []));
  expect(killed.sort()).toEqual(
    [of('a process without a workspace').issue, of('all three, and the session is stale').issue].sort(),
  );
  const { comments } = await daemon.detail(of('a process without a workspace').issue);
  expect(comments.map(({ text }) => text)).toEqual([
    expect.stringContaining('without a workspace'),
    expect.stringMatching(/^\*\*Plan\*\*/),
  ]);

  // An impossible state is reported, and nothing is done before a person decides.
  const [item, ...others] = await daemon.inbox();
  expect(others).toEqual([]);
  expect([item?.kind, item?.issue]).toEqual(['worker', of('only a session').issue]);
  expect((await now('only a session')).attempt).toBe(1);
  await client.request('DELETE', `/workers/${of('only a session').id}?restart=true`);
  await daemon.untilStatus(of('only a session').issue, 'In Progress');

  // Live workers are left alone: the same process finishes its work.
  expect(await now('a workspace and a process')).toMatchObject({ attempt: 1, status: 'spawned' });
  writeFileSync(join(daemon.legion.folder, 'go'), '');
  for (const row of ['a workspace and a process', 'all three, and the session is fresh'] as const) {
    await daemon.untilStatus(of(row).issue, 'In Progress');
    const { attempt, crashes, pid } = await now(row);
    expect([row, attempt, crashes, pid]).toEqual([row, 1, 0, of(row).pid]);
  }
  expect(findDoubleDispatches(await client.events())).toEqual([]);
});
