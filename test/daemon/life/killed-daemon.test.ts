import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Event } from '../../../src/domain/event.ts';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import { effort } from '../../effort.ts';
import { git } from '../../forges/git.ts';
import { randomFrom, SEED } from '../../hosts/random.ts';
import { processesOf } from '../end-workers.ts';
import { until } from '../running.ts';
import { doubleDispatches } from './places.ts';
import { type Life, MERGING, stage } from './stage.ts';

const begin = stage();

const KILLS = effort(3, 20);
/** A phase takes some half a second on a quiet machine, the start of a daemon about as long. */
const KILLED_WITHIN_MS = 1_500;
/** A kill and the start that follows take a second, on a busy machine five. */
const KILLS_MOST_MS = 120_000 + KILLS * 10_000;

/** As many deaths as there are kills, and no person in between. */
const UNDAUNTED = `limits: { respawns: 100 }
health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, backoff_most: 0.1s, after_step: 1s,
    loop_crashes: 1000, breaker_crashes: 1000 }
`;

const PLANNING = 'limits: { per_mode: { implement: 0 } }\n';

function untilAtWork(life: Life, id: string): Promise<WorkerView | undefined> {
  return until(
    async () => (await life.door.get<WorkerView[]>('/workers')).find((worker) => worker.issue === id),
    (worker) => worker?.status === 'executing',
    100_000,
  );
}

function reportsOf(events: readonly Event[]): string[] {
  return events.flatMap((event) =>
    event.type === 'attempt.report_accepted' ? [`${event.mode} ${event.attempt}`] : [],
  );
}

test('what a worker reports while no daemon is there waits in its outbox and counts once, at the next start', async () => {
  const life = await begin({
    yaml: PLANNING,
    scenario: [
      {
        steps: [
          { say: 'thinking' },
          { think: '1s' },
          { comment: { text: 'I am nearly there.' } },
          { handoff: { summary: 'the plan' } },
          { done: 'planned' },
        ],
      },
    ],
  });
  const id = await life.add({ status: 'Todo' });
  await untilAtWork(life, id);
  await life.stop();
  await until(
    async () => processesOf(life.legion.state),
    (left) => left.length === 0,
    100_000,
  );
  const outbox = join(life.legion.state, 'outbox', `${id.toLowerCase()}-plan`, '1');
  expect(readdirSync(outbox).filter((name) => name.endsWith('.json'))).toHaveLength(3);

  await life.start();
  await life.untilStatus(id, 'In Progress');
  const { workers, comments } = await life.detail(id);
  expect(workers.map(({ mode, attempt, status, crashes }) => [mode, attempt, status, crashes])).toEqual([
    ['plan', 1, 'finished', 0],
  ]);
  expect(comments.map(({ text }) => text)).toEqual([expect.stringContaining('I am nearly there.')]);
  expect(reportsOf(await life.door.events())).toEqual(['plan 1']);
  expect(readdirSync(outbox).filter((name) => name.endsWith('.json'))).toEqual([]);
});

test('a worker outlives a killed daemon, and the next one adopts it', async () => {
  const life = await begin({
    yaml: PLANNING,
    scenario: [
      {
        steps: [
          { say: 'thinking' },
          { think: '4s' },
          { handoff: { summary: 'the plan' } },
          { done: 'planned' },
        ],
      },
    ],
  });
  await life.stop();
  await life.startApart();
  const id = await life.add({ status: 'Todo' });
  const before = await untilAtWork(life, id);
  await life.kill();
  expect(processesOf(life.legion.state)).toContain(before?.pid);

  await life.startApart();
  const after = await untilAtWork(life, id);
  expect([after?.attempt, after?.pid]).toEqual([1, before?.pid]);
  await life.untilStatus(id, 'In Progress');
  const events = await life.door.events();
  expect(events.filter(({ type }) => type === 'leader.elected')).toHaveLength(3);
  expect(reportsOf(events)).toEqual(['plan 1']);
  expect(doubleDispatches(events)).toEqual([]);
});

/** What of a life must be so, wherever it was cut; resolves to its attempts. */
async function expectOneLife(life: Life, id: string, said: string): Promise<Record<string, number>> {
  const { workers, comments, pullRequest, issue } = await life.detail(id);
  const events = await life.door.events();
  const phases = reportsOf(events).map((report) => report.split(' ')[0]);
  expect(doubleDispatches(events), said).toEqual([]);
  expect(phases, said).toEqual(['plan', 'implement', 'test', 'review', 'implement', 'merge']);
  const landed = events.filter(({ type }) => type === 'merge.landed');
  expect(landed, said).toHaveLength(1);
  expect([pullRequest?.state, issue.labels], said).toEqual(['merged', ['auto-merged', 'chore']]);
  // A number may be lost with the daemon that took it; a pull request may not come twice.
  const kept = readdirSync(join(life.legion.state, 'repositories'), { recursive: true, encoding: 'utf8' });
  const records = kept.filter((name) => /\/\d+\.[^/]+\.json$/.test(name));
  expect(records, said).toHaveLength(1);
  expect(new Set(comments.map(({ text }) => text)).size, said).toBe(comments.length);
  const subjects = (await git(life.legion.repository, 'log', '--format=%s', 'main')).split('\n');
  const mine = subjects.filter((subject) => subject.includes(id));
  expect(mine, said).toHaveLength(1);
  return Object.fromEntries(workers.map(({ mode, attempt }) => [mode, attempt]));
}

/** Lets a life begin, cuts it as often as asked for, and lets it come to its end. */
async function cutLife(life: Life, cut: () => Promise<void>): Promise<{ id: string; said: string }> {
  const random = randomFrom(SEED);
  await life.stop();
  await life.startApart();
  const id = await life.add({ status: 'Todo' });
  const after: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const ms = Math.floor(random() * KILLED_WITHIN_MS);
    after.push(ms);
    await sleep(ms);
    await cut();
    await life.startApart();
  }
  await life.untilStatus(id, 'Done');
  return { id, said: `LEGION_SEED=${SEED}, cut after ${after.join(', ')} ms` };
}

test(
  'wherever the daemon is killed in a life, each phase is done once, with one pull request and one merge',
  async () => {
    const life = await begin({ files: MERGING });
    const { id, said } = await cutLife(life, () => life.kill());
    const attempts = await expectOneLife(life, id, said);
    expect(attempts, said).toEqual({ plan: 1, implement: 2, test: 1, review: 1, merge: 1 });
  },
  KILLS_MOST_MS,
);

test(
  'wherever the whole machine dies in a life, with its workers, nothing is lost and nothing lands twice',
  async () => {
    const life = await begin({ yaml: UNDAUNTED, files: MERGING });
    const { id, said } = await cutLife(life, async () => {
      await life.kill();
      await life.legion.endWorkers();
    });
    await expectOneLife(life, id, said);
  },
  KILLS_MOST_MS,
);
