import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { LegionError } from '../../../src/core/model/fault.ts';
import { toSnapshot } from '../../../src/core/state/snapshot.ts';
import { createLegionState } from '../../../src/core/state/state.ts';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { until } from '../../support/running-daemon.ts';
import { findDoubleDispatches, listReports } from '../support/attempts.ts';
import { setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { listWorkerProcesses } from '../support/worker-processes.ts';
import { sendSignal, waitForSignal } from '../support/worker-signals.ts';

const startDaemon = setUpDaemons();

const PLANNING = 'limits: { per_mode: { implement: 0 } }\n';

/** A plan worker that runs until the test lets it continue. */
const SLOWLY = [
  {
    steps: [
      { say: 'thinking' },
      waitForSignal('go'),
      { handoff: { summary: 'the plan' } },
      { done: 'planned' },
    ],
  },
];

/** Changes the journal as a person with the `sqlite3` tool or a failing disk might. */
function journal({ legion }: TestDaemon, ...statements: readonly string[]): unknown[] {
  const db = new DatabaseSync(join(legion.state, 'journal.db'));
  try {
    return statements.flatMap((sql) => db.prepare(sql).all());
  } finally {
    db.close();
  }
}

/** Leaves a running worker and a stopped daemon whose journal has no snapshot. */
async function halfWay(): Promise<{ daemon: TestDaemon; id: string; worker: string }> {
  const daemon = await startDaemon({ yaml: PLANNING, scenario: SLOWLY });
  const id = await daemon.add({ status: 'Todo' });
  const worker = `${id.toLowerCase()}-plan`;
  await until(
    async () => (await daemon.client.get<WorkerView[]>('/workers'))[0]?.status,
    (status) => status === 'executing',
    100_000,
  );
  await daemon.stop();
  journal(daemon, 'DELETE FROM snapshots');
  return { daemon, id, worker };
}

async function refusalOf(start: Promise<void>): Promise<LegionError> {
  return start.then(
    () => expect.fail('it started'),
    (error: unknown) => error as LegionError,
  );
}

async function expectContinues({ daemon, id, worker }: Awaited<ReturnType<typeof halfWay>>): Promise<void> {
  expect(listWorkerProcesses(daemon.legion.state, worker)).not.toEqual([]);
  await daemon.start();
  sendSignal(daemon.legion, 'go');
  await daemon.untilStatus(id, 'In Progress');
  const events = await daemon.client.events();
  expect([findDoubleDispatches(events), listReports(events)]).toEqual([[], ['plan 1']]);
}

test('an unreadable event prevents the start of the daemon and is reported with its number and the fix; work continues once the event is repaired', async () => {
  const half = await halfWay();
  const { daemon } = half;
  const [row] = journal(daemon, "SELECT seq, body FROM events WHERE type = 'attempt.dispatched'") as [
    { seq: number; body: string },
  ];
  journal(daemon, `UPDATE events SET body = '{"type":"attempt.dis' WHERE seq = ${row.seq}`);

  const refusal = await refusalOf(daemon.start());
  expect(refusal.code).toBe('journal.corrupt');
  expect(refusal.message).toContain(`event ${row.seq}:`);
  expect(refusal.fault.next).toMatch(/backup/);
  // There is also no sign of a running daemon: no address is published, and nothing was written.
  expect(existsSync(join(daemon.legion.state, 'daemon.json'))).toBe(false);
  expect((await refusalOf(daemon.start())).message).toBe(refusal.message);

  journal(daemon, `UPDATE events SET body = '${row.body}' WHERE seq = ${row.seq}`);
  await expectContinues(half);
});

test('an event of a newer Legion version prevents the start of the daemon and is reported with its number and type', async () => {
  const half = await halfWay();
  const { daemon } = half;
  const [{ seq, type }] = journal(daemon, 'SELECT seq, type FROM events ORDER BY seq DESC LIMIT 1') as [
    { seq: number; type: string },
  ];
  journal(daemon, `UPDATE events SET type = 'attempt.teleported' WHERE seq = ${seq}`);
  const refusal = await refusalOf(daemon.start());
  expect([refusal.code, refusal.fault.next]).toEqual(['journal.newer', expect.stringMatching(/newer/)]);
  expect(refusal.message).toContain(`event ${seq} has the unknown type "attempt.teleported"`);
  journal(daemon, `UPDATE events SET type = '${type}' WHERE seq = ${seq}`);
  await expectContinues(half);
});

test('ignores a corrupt or false snapshot, so that no worker is forgotten or started twice', async () => {
  const half = await halfWay();
  const { daemon, worker } = half;
  const [{ version }] = journal(daemon, 'SELECT max(seq) AS version FROM events') as [{ version: number }];
  const lie = toSnapshot({ ...createLegionState(), version });
  for (const state of ['', 'x', '{}', lie.state]) {
    journal(
      daemon,
      'DELETE FROM snapshots',
      `INSERT INTO snapshots VALUES (${lie.version}, ${lie.shape}, '${state}')`,
    );
    await daemon.start();
    const workers = await daemon.client.get<WorkerView[]>('/workers');
    expect(workers.map(({ id, attempt, status }) => [id, attempt, status])).toEqual([
      [worker, 1, 'executing'],
    ]);
    await daemon.stop();
  }
  await expectContinues(half);
});

test('an event that is corrupted after it became part of a snapshot does not prevent the start of the daemon', async () => {
  const daemon = await startDaemon({ yaml: PLANNING });
  const old = await daemon.add({ status: 'Todo' });
  await daemon.untilStatus(old, 'In Progress');
  await daemon.stop();
  journal(daemon, "UPDATE events SET body = 'garbage' WHERE type = 'attempt.dispatched'");
  await daemon.start();
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilIssue(id, 'in progress', ({ status }) => status === 'In Progress');
  // Later events are still shown, and so are all items that wait for a person.
  await daemon.client.post(`/issues/${id}/pause`, { by: 'Ada' });
  await daemon.untilLabel(id, 'legion-paused');
  expect((await daemon.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['paused', id]]);
  const { history } = await daemon.client.get<IssueExplanation>(`/issues/${id}/explain`);
  expect(history.length).toBeGreaterThan(10);
  expect(
    (await daemon.client.get<IssueExplanation>(`/issues/${old}/explain`)).history.length,
  ).toBeGreaterThan(5);
});
