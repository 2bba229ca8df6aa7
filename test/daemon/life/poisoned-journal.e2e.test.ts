import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { LegionError } from '../../../src/core/model/fault.ts';
import { toSnapshot } from '../../../src/core/state/snapshot.ts';
import { emptySwarm } from '../../../src/core/state/state.ts';
import type { Explanation, WorkerView } from '../../../src/protocol/operator.ts';
import { doubleDispatches, reportsOf } from '../../e2e/support/attempts.ts';
import { type Life, stage } from '../../e2e/support/legion.ts';
import { processesOfWorker } from '../../e2e/support/worker-processes.ts';
import { until } from '../../support/running-daemon.ts';
import { giveWord, waitForWord } from './signs.ts';

const begin = stage();

const PLANNING = 'limits: { per_mode: { implement: 0 } }\n';

/** A plan that is worked on until the test says so. */
const SLOWLY = [
  {
    steps: [
      { say: 'thinking' },
      waitForWord('go'),
      { handoff: { summary: 'the plan' } },
      { done: 'planned' },
    ],
  },
];

/** As a person with the `sqlite3` tool, or a failing disk, would change it. */
function journal({ legion }: Life, ...statements: readonly string[]): unknown[] {
  const db = new DatabaseSync(join(legion.state, 'journal.db'));
  try {
    return statements.flatMap((sql) => db.prepare(sql).all());
  } finally {
    db.close();
  }
}

/** A worker is at work and the daemon is gone, without a snapshot of what it had written. */
async function halfWay(): Promise<{ life: Life; id: string; worker: string }> {
  const life = await begin({ yaml: PLANNING, scenario: SLOWLY });
  const id = await life.add({ status: 'Todo' });
  const worker = `${id.toLowerCase()}-plan`;
  await until(
    async () => (await life.door.get<WorkerView[]>('/workers'))[0]?.status,
    (status) => status === 'executing',
    100_000,
  );
  await life.stop();
  journal(life, 'DELETE FROM snapshots');
  return { life, id, worker };
}

async function refusalOf(start: Promise<void>): Promise<LegionError> {
  return start.then(
    () => expect.fail('it started'),
    (error: unknown) => error as LegionError,
  );
}

async function expectGoesOn({ life, id, worker }: Awaited<ReturnType<typeof halfWay>>): Promise<void> {
  expect(processesOfWorker(life.legion.state, worker)).not.toEqual([]);
  await life.start();
  giveWord(life.legion, 'go');
  await life.untilStatus(id, 'In Progress');
  const events = await life.door.events();
  expect([doubleDispatches(events), reportsOf(events)]).toEqual([[], ['plan 1']]);
}

test('an event that cannot be read keeps the daemon from starting, by its number and with what to do; put right, all goes on', async () => {
  const half = await halfWay();
  const { life } = half;
  const [row] = journal(life, "SELECT seq, body FROM events WHERE type = 'attempt.dispatched'") as [
    { seq: number; body: string },
  ];
  journal(life, `UPDATE events SET body = '{"type":"attempt.dis' WHERE seq = ${row.seq}`);

  const refusal = await refusalOf(life.start());
  expect(refusal.code).toBe('journal.corrupt');
  expect(refusal.message).toContain(`event ${row.seq}:`);
  expect(refusal.fault.next).toMatch(/backup/);
  // It does not look alive either: nobody is told of an address, and nothing was written.
  expect(existsSync(join(life.legion.state, 'daemon.json'))).toBe(false);
  expect((await refusalOf(life.start())).message).toBe(refusal.message);

  journal(life, `UPDATE events SET body = '${row.body}' WHERE seq = ${row.seq}`);
  await expectGoesOn(half);
});

test('an event of a newer Legion keeps the daemon from starting, by its number and type', async () => {
  const half = await halfWay();
  const { life } = half;
  const [{ seq, type }] = journal(life, 'SELECT seq, type FROM events ORDER BY seq DESC LIMIT 1') as [
    { seq: number; type: string },
  ];
  journal(life, `UPDATE events SET type = 'attempt.teleported' WHERE seq = ${seq}`);
  const refusal = await refusalOf(life.start());
  expect([refusal.code, refusal.fault.next]).toEqual(['journal.newer', expect.stringMatching(/newer/)]);
  expect(refusal.message).toContain(`event ${seq} is of the unknown type "attempt.teleported"`);
  journal(life, `UPDATE events SET type = '${type}' WHERE seq = ${seq}`);
  await expectGoesOn(half);
});

test('a snapshot that is garbage, or that lies, costs nothing: nobody is forgotten and nobody is started twice', async () => {
  const half = await halfWay();
  const { life, worker } = half;
  const [{ version }] = journal(life, 'SELECT max(seq) AS version FROM events') as [{ version: number }];
  const lie = toSnapshot({ ...emptySwarm(), version });
  for (const state of ['', 'x', '{}', lie.state]) {
    journal(
      life,
      'DELETE FROM snapshots',
      `INSERT INTO snapshots VALUES (${lie.version}, ${lie.shape}, '${state}')`,
    );
    await life.start();
    const workers = await life.door.get<WorkerView[]>('/workers');
    expect(workers.map(({ id, attempt, status }) => [id, attempt, status])).toEqual([
      [worker, 1, 'executing'],
    ]);
    await life.stop();
  }
  await expectGoesOn(half);
});

test('an event that went bad after it was folded into a snapshot stops nobody', async () => {
  const life = await begin({ yaml: PLANNING });
  const old = await life.add({ status: 'Todo' });
  await life.untilStatus(old, 'In Progress');
  await life.stop();
  journal(life, "UPDATE events SET body = 'garbage' WHERE type = 'attempt.dispatched'");
  await life.start();
  const id = await life.add({ status: 'Todo' });
  await life.untilIssue(id, 'in progress', ({ status }) => status === 'In Progress');
  // What happened since is still told, and so is everything that waits for a person.
  await life.door.post(`/issues/${id}/pause`, { by: 'Ada' });
  await life.untilLabel(id, 'legion-paused');
  expect((await life.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['paused', id]]);
  const { history } = await life.door.get<Explanation>(`/issues/${id}/explain`);
  expect(history.length).toBeGreaterThan(10);
  expect((await life.door.get<Explanation>(`/issues/${old}/explain`)).history.length).toBeGreaterThan(5);
});
