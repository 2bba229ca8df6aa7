import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HealthView, WorkerView } from '../../../src/protocol/operator.ts';
import { until } from '../../support/running-daemon.ts';
import { doubleDispatches } from '../support/attempts.ts';
import { type Life, MERGING, stage } from '../support/legion.ts';
import { sessionFileOf, workspaceOf } from '../support/worker-files.ts';
import { killWorker } from '../support/worker-processes.ts';

const begin = stage();

/** One after the other is enough to see that they go on, and is quicker here than all at once. */
const LIMITS = 'limits: { workers: 20, respawns: 1, per_mode: { implement: 1 } }\n';

/** The grace after a daemon's start and the limits of silence so short that a test can wait for them. */
const SHORT_LIMITS = `${LIMITS}health:
  { grace: 0.2s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, heartbeat: 1s, breaker_crashes: 100,
    thinking: 2s, probe_silence: 1s, cpu_sign: 0.05s, term_to_kill: 0.5s, stop_grace: 0s }
`;

/** What is done to each while no daemon is there; every one of them is killed, unless it is to live. */
const DAMAGE = {
  'nothing, but killed': () => undefined,
  'its exit status is garbage': ({ folder }) => writeFileSync(join(folder, 'exit.json'), 'garbage'),
  'its exit status is a folder': ({ folder }) => {
    rmSync(join(folder, 'exit.json'));
    mkdirSync(join(folder, 'exit.json'));
  },
  'its process record is garbage': ({ folder }) => writeFileSync(join(folder, 'process.json'), 'garbage'),
  'its order is garbage, and it lives': ({ folder }) => writeFileSync(join(folder, 'start.json'), 'garbage'),
  'what it wrote is gone': ({ folder }) => rmSync(join(folder, 'out')),
  'what it wrote is a folder': ({ folder }) => {
    rmSync(join(folder, 'out'));
    mkdirSync(join(folder, 'out'));
  },
  'a file lies in the place of all its records': ({ folder }) => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file');
  },
  'strangers among its attempts': ({ folder }) => {
    writeFileSync(join(folder, '../9'), 'a file where an attempt’s folder belongs');
    writeFileSync(join(folder, '../../notes'), 'a file where a worker’s folder belongs');
  },
  'its outbox is full of rubbish': ({ outbox }) => {
    const entry = (n: number) => join(outbox, `${String(n).padStart(15, '0')}-${randomUUID()}.json`);
    mkdirSync(outbox, { recursive: true });
    writeFileSync(join(outbox, 'readme'), 'no message');
    writeFileSync(entry(1), '{"garbage');
    writeFileSync(entry(2), 'x'.repeat(2 * 1_024 * 1_024));
    symlinkSync('/etc/passwd', entry(3));
    mkdirSync(entry(4));
  },
  'its workspace is gone, and its session': ({ workspace, session }) => {
    rmSync(workspace, { recursive: true });
    rmSync(session);
  },
  'its workspace has a broken .git': ({ workspace }) => writeFileSync(join(workspace, '.git'), 'garbage'),
  'its session is a folder': ({ session }) => {
    rmSync(session);
    mkdirSync(session);
  },
} as const satisfies Record<string, (of: Places) => unknown>;

type Damage = keyof typeof DAMAGE;
const ALL = Object.keys(DAMAGE) as Damage[];

/** Only a person can put these right. */
const FOR_A_PERSON: readonly Damage[] = ['its session is a folder', 'its workspace has a broken .git'];

interface Places {
  readonly folder: string;
  readonly outbox: string;
  readonly workspace: string;
  readonly session: string;
}

function placesOf({ legion }: Life, worker: WorkerView): Places {
  return {
    folder: join(legion.state, 'host/attempts', worker.id, '1'),
    outbox: join(legion.state, 'outbox', worker.id, '1'),
    workspace: workspaceOf(legion, worker.issue),
    session: sessionFileOf(legion, worker),
  };
}

test('whatever of one worker is poisoned while no daemon is there, the others go on, and a person is told of it', async () => {
  const life = await begin({
    yaml: `${LIMITS}health: { grace: 0s, breaker_crashes: 100 }\n`,
    files: MERGING,
    scenario: [{ mode: 'plan', attempt: 1, steps: [{ say: 'thinking' }, { hang: 'silent' }] }],
  });
  const ids = new Map<Damage, string>();
  for (const damage of ALL) {
    const priority = damage === 'nothing, but killed' ? 1 : 3;
    ids.set(damage, await life.add({ status: 'Todo', title: damage, priority }));
  }
  const workers = await until(
    () => life.door.get<WorkerView[]>('/workers'),
    (all) => all.filter(({ status }) => status === 'executing').length === ALL.length,
    100_000,
  );
  await life.stop();
  for (const damage of ALL) {
    const worker = workers.find(({ issue }) => issue === ids.get(damage));
    if (worker === undefined) throw new Error(`no worker: ${damage}`);
    if (!damage.includes('lives')) await killWorker(life.legion.state, worker.id);
    DAMAGE[damage](placesOf(life, worker));
  }
  life.legion.reconfigure(SHORT_LIMITS);
  await life.start();

  const recoverable = ALL.filter((damage) => !FOR_A_PERSON.includes(damage));
  for (const damage of recoverable)
    await life.untilIssue(ids.get(damage) ?? '', 'planned', ({ status }) => status !== 'Todo');
  await life.untilStatus(ids.get('nothing, but killed') ?? '', 'Done');
  await life.untilLabel(ids.get('its session is a folder') ?? '', 'legion-paused');
  const [unreadable, broken] = FOR_A_PERSON.map((damage) => ids.get(damage));
  const inbox = await life.inbox();
  expect(inbox.map(({ kind, issue }) => `${kind} ${issue}`).sort()).toEqual(
    [`paused ${unreadable}`, `worker ${broken}`].sort(),
  );
  const { troubles } = await life.door.get<HealthView>('/health');
  const aside = troubles.find(({ code }) => code === 'speech.message_set_aside');
  expect(aside?.message).toContain(
    `${ids.get('its outbox is full of rubbish')?.toLowerCase()}-plan/1/refused/`,
  );
  expect(aside?.message).toContain('and 1 more');
  expect(doubleDispatches(await life.door.events())).toEqual([]);
});
