import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkerStatusView, WorkerView } from '../../../src/protocol/operator.ts';
import { until } from '../../support/running-daemon.ts';
import { doubleDispatches } from '../support/attempts.ts';
import { type Life, stage } from '../support/legion.ts';
import { sessionFileOf, workspaceOf } from '../support/worker-files.ts';
import { killWorker } from '../support/worker-processes.ts';

const begin = stage();

const PLANNING = 'limits: { respawns: 1, per_mode: { implement: 0 } }\n';

/** The grace after a daemon's start and the limits of silence, which are minutes, so short that a test can wait for them. */
const SHORT_LIMITS = `${PLANNING}health:
  { grace: 0.5s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, heartbeat: 1s, breaker_crashes: 100,
    thinking: 2s, probe_silence: 1s, cpu_sign: 0.05s, term_to_kill: 0.5s, stop_grace: 0s }
`;

/** Writes for some seven seconds, longer than it takes to find the others dead. */
const BUSY = Array.from({ length: 35 }, () => [{ say: 'at work' }, { think: '200ms' }]).flat();

/** An agent whose Node does not get as far as its first line until the test says so. */
const SLOW_START = join(import.meta.dirname, '../slow-start.cjs');

const ROWS = [
  'nothing is there',
  'a process without a workspace',
  'a workspace alone',
  'a workspace and a session',
  'a workspace and a process',
  'all three, and the session is fresh',
  'all three, and the session is stale',
  'a session alone',
] as const;

/** One plan worker for each row, as a daemon that ended has left them. */
async function leftBehind(life: Life): Promise<ReadonlyMap<(typeof ROWS)[number], WorkerView>> {
  const { legion, door } = life;
  const issues = new Map<string, string>();
  const go = join(legion.folder, 'go');
  for (const row of ROWS) {
    const isSlow = row === 'a workspace and a process';
    const id = await life.add({ status: isSlow ? 'Icebox' : 'Todo', title: row });
    issues.set(row, id);
    if (isSlow)
      await door.post('/workers', { issue: id, mode: 'plan', force: true, env: { HOLD_UNTIL: go } });
    if (isSlow) await door.post(`/issues/${id}/move`, { status: 'Todo' });
  }
  const workers = await until(
    () => door.get<WorkerView[]>('/workers'),
    (all) => all.filter(({ status }) => status === 'executing').length === ROWS.length - 1,
    100_000,
  );
  await life.stop();
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
      rmSync(workspaceOf(legion, worker.issue), { recursive: true });
    if (!row.includes('session')) rmSync(sessionFileOf(legion, worker), { force: true });
  }
  return found;
}

test('a daemon that starts finds each worker as its workspace, process and session file say, and acts on it', async () => {
  const life = await begin({
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
  const found = await leftBehind(life);
  const of = (row: (typeof ROWS)[number]) => found.get(row) as WorkerView;
  life.legion.reconfigure(SHORT_LIMITS);
  await life.start();
  const { door } = life;
  const now = (row: (typeof ROWS)[number]) => door.get<WorkerStatusView>(`/workers/${of(row).id}/status`);

  // Dead, or as good as: each is started again once, in its own session, and does its work.
  const evidence = {
    'nothing is there': 'workspace=no',
    'a process without a workspace': 'Its process runs without a workspace',
    'a workspace alone': 'session_file=missing',
    'a workspace and a session': 'it left no report',
    'all three, and the session is stale': 'It has been silent for',
  } as const;
  for (const row of Object.keys(evidence) as (keyof typeof evidence)[]) {
    await life.untilStatus(of(row).issue, 'In Progress');
    const { attempt, crashes, status, sessionId } = await now(row);
    expect([row, attempt, crashes, status, sessionId]).toEqual([row, 2, 1, 'finished', of(row).sessionId]);
  }
  const events = await door.events();
  const crashOf = (row: (typeof ROWS)[number]) =>
    events.flatMap((event) =>
      event.type === 'attempt.crashed' && event.issue === of(row).issue ? [event.evidence.join('\n')] : [],
    );
  for (const [row, words] of Object.entries(evidence))
    expect(crashOf(row as keyof typeof evidence)).toEqual([expect.stringContaining(words)]);
  // Only what lived was killed, and whoever had no workspace is told to a person.
  const killed = events.flatMap((event) => (event.type === 'kill.performed' ? [event.issue] : []));
  expect(killed.sort()).toEqual(
    [of('a process without a workspace').issue, of('all three, and the session is stale').issue].sort(),
  );
  const { comments } = await life.detail(of('a process without a workspace').issue);
  expect(comments.map(({ text }) => text)).toEqual([expect.stringContaining('without a workspace')]);

  // What cannot be is told, and nothing is done about it before a person says so.
  const [item, ...others] = await life.inbox();
  expect(others).toEqual([]);
  expect([item?.kind, item?.issue]).toEqual(['worker', of('a session alone').issue]);
  expect((await now('a session alone')).attempt).toBe(1);
  await door.request('DELETE', `/workers/${of('a session alone').id}?restart=true`);
  await life.untilStatus(of('a session alone').issue, 'In Progress');

  // The living are left alone: the same process ends its work.
  expect(await now('a workspace and a process')).toMatchObject({ attempt: 1, status: 'spawned' });
  writeFileSync(join(life.legion.folder, 'go'), '');
  for (const row of ['a workspace and a process', 'all three, and the session is fresh'] as const) {
    await life.untilStatus(of(row).issue, 'In Progress');
    const { attempt, crashes, pid } = await now(row);
    expect([row, attempt, crashes, pid]).toEqual([row, 1, 0, of(row).pid]);
  }
  expect(doubleDispatches(await door.events())).toEqual([]);
});
