import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HealthView } from '../../../src/protocol/status.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { until } from '../../support/running-daemon.ts';
import { findDoubleDispatches } from '../support/attempts.ts';
import { AUTO_MERGE_FILES, setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { findWorkspace, toSessionFile } from '../support/worker-files.ts';
import { killWorker } from '../support/worker-processes.ts';

const startDaemon = setUpDaemons();

/**
 * Allows one implementer at a time. This is enough to show that the issues continue, and is faster
 * here than running all at once.
 */
const LIMITS = 'limits: { workers: 20, respawns: 1, per_mode: { implement: 1 } }\n';

/** Short startup grace and silence limits, so that a test can wait for them. */
const SHORT_LIMITS = `${LIMITS}health:
  { grace: 0.2s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, heartbeat: 1s, breaker_crashes: 100,
    thinking: 2s, probe_silence: 1s, cpu_sign: 0.05s, term_to_kill: 0.5s, stop_grace: 0s }
`;

/**
 * The damage that each worker suffers while no daemon is running. The worker is also killed, unless
 * its entry says that it stays alive.
 */
const DAMAGE = {
  'nothing, but killed': () => undefined,
  'its exit status is garbage': ({ folder }) => writeFileSync(join(folder, 'exit.json'), 'garbage'),
  'its exit status is a directory': ({ folder }) => {
    rmSync(join(folder, 'exit.json'));
    mkdirSync(join(folder, 'exit.json'));
  },
  'its process record is garbage': ({ folder }) => writeFileSync(join(folder, 'process.json'), 'garbage'),
  'its start record is garbage, and it lives': ({ folder }) =>
    writeFileSync(join(folder, 'start.json'), 'garbage'),
  'its output is missing': ({ folder }) => rmSync(join(folder, 'out')),
  'its output is a directory': ({ folder }) => {
    rmSync(join(folder, 'out'));
    mkdirSync(join(folder, 'out'));
  },
  'a file replaces all its records': ({ folder }) => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file');
  },
  'unknown files among its attempts': ({ folder }) => {
    writeFileSync(join(folder, '../9'), 'a file in place of an attempt’s directory');
    writeFileSync(join(folder, '../../notes'), 'a file in place of a worker’s directory');
  },
  'its outbox is full of garbage': ({ outbox }) => {
    const entry = (n: number) => join(outbox, `${String(n).padStart(15, '0')}-${randomUUID()}.json`);
    mkdirSync(outbox, { recursive: true });
    writeFileSync(join(outbox, 'readme'), 'no message');
    writeFileSync(entry(1), '{"garbage');
    writeFileSync(entry(2), 'x'.repeat(2 * 1_024 * 1_024));
    symlinkSync('/etc/passwd', entry(3));
    mkdirSync(entry(4));
  },
  'its workspace and its session are missing': ({ workspace, session }) => {
    rmSync(workspace, { recursive: true });
    rmSync(session);
  },
  'its workspace has a broken .git': ({ workspace }) => writeFileSync(join(workspace, '.git'), 'garbage'),
  'its session is a directory': ({ session }) => {
    rmSync(session);
    mkdirSync(session);
  },
} as const satisfies Record<string, (of: WorkerFiles) => unknown>;

type Damage = keyof typeof DAMAGE;
const ALL = Object.keys(DAMAGE) as Damage[];

/** Damage that only a person can fix. */
const FOR_A_PERSON: readonly Damage[] = ['its session is a directory', 'its workspace has a broken .git'];

interface WorkerFiles {
  readonly folder: string;
  readonly outbox: string;
  readonly workspace: string;
  readonly session: string;
}

function findWorkerFiles({ legion }: TestDaemon, worker: WorkerView): WorkerFiles {
  return {
    folder: join(legion.state, 'host/attempts', worker.id, '1'),
    outbox: join(legion.state, 'outbox', worker.id, '1'),
    workspace: findWorkspace(legion, worker.issue),
    session: toSessionFile(legion, worker),
  };
}

test("if one worker's files are damaged while no daemon is running, other workers are not affected and a person is notified", async () => {
  const daemon = await startDaemon({
    yaml: `${LIMITS}health: { grace: 0s, breaker_crashes: 100 }\n`,
    files: AUTO_MERGE_FILES,
    scenario: [{ mode: 'plan', attempt: 1, steps: [{ say: 'thinking' }, { hang: 'silent' }] }],
  });
  const ids = new Map<Damage, string>();
  for (const damage of ALL) {
    const priority = damage === 'nothing, but killed' ? 1 : 3;
    ids.set(damage, await daemon.add({ status: 'Todo', title: damage, priority }));
  }
  const workers = await until(
    () => daemon.client.get<WorkerView[]>('/workers'),
    (all) => all.filter(({ status }) => status === 'executing').length === ALL.length,
    100_000,
  );
  await daemon.stop();
  for (const damage of ALL) {
    const worker = workers.find(({ issue }) => issue === ids.get(damage));
    if (worker === undefined) throw new Error(`no worker: ${damage}`);
    if (!damage.includes('lives')) await killWorker(daemon.legion.state, worker.id);
    DAMAGE[damage](findWorkerFiles(daemon, worker));
  }
  daemon.legion.reconfigure(SHORT_LIMITS);
  await daemon.start();

  const recoverable = ALL.filter((damage) => !FOR_A_PERSON.includes(damage));
  for (const damage of recoverable)
    await daemon.untilIssue(ids.get(damage) ?? '', 'planned', ({ status }) => status !== 'Todo');
  await daemon.untilStatus(ids.get('nothing, but killed') ?? '', 'Done');
  await daemon.untilLabel(ids.get('its session is a directory') ?? '', 'legion-paused');
  const [unreadable, broken] = FOR_A_PERSON.map((damage) => ids.get(damage));
  const inbox = await daemon.inbox();
  expect(inbox.map(({ kind, issue }) => `${kind} ${issue}`).sort()).toEqual(
    [`paused ${unreadable}`, `worker ${broken}`].sort(),
  );
  const { troubles } = await daemon.client.get<HealthView>('/health');
  const aside = troubles.find(({ code }) => code === 'speech.message_set_aside');
  expect(aside?.message).toContain(
    `${ids.get('its outbox is full of garbage')?.toLowerCase()}-plan/1/refused/`,
  );
  expect(aside?.message).toContain('and 1 more');
  expect(findDoubleDispatches(await daemon.client.events())).toEqual([]);
});
