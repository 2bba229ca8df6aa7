import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { git } from '../../ports/forge/git.ts';
import { randomFrom, SEED } from '../../ports/host/random.ts';
import { effort } from '../../support/effort.ts';
import { doubleDispatches, reportsOf } from '../support/attempts.ts';
import { type Life, MERGING, stage } from '../support/legion.ts';

const begin = stage();

const LIVES = effort(1, 8);
const KILLS_EACH = effort(2, 4);
/** A phase takes some half a second on a quiet machine, the start of a daemon about as long. */
const KILLED_WITHIN_MS = 1_500;
/** A kill and the start that follows take a second, on a busy machine five. */
const KILLS_MOST_MS = 120_000 + LIVES * (60_000 + KILLS_EACH * 10_000);

/** As many deaths as there are kills, and no person in between. */
const UNDAUNTED = `limits: { respawns: 100 }
health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, backoff_most: 0.1s, after_step: 1s,
    loop_crashes: 1000, breaker_crashes: 1000 }
`;

/** What of a life must be so, wherever it was cut; resolves to its attempts. */
async function expectOneLife(life: Life, id: string, said: string): Promise<Record<string, number>> {
  const { workers, comments, pullRequest, issue } = await life.detail(id);
  const events = (await life.door.events()).filter((event) => 'issue' in event && event.issue === id);
  const phases = reportsOf(events).map((report) => report.split(' ')[0]);
  expect(doubleDispatches(events), said).toEqual([]);
  expect(phases, said).toEqual(['plan', 'implement', 'test', 'review', 'implement', 'merge']);
  const landed = events.filter(({ type }) => type === 'merge.landed');
  expect(landed, said).toHaveLength(1);
  expect([pullRequest?.state, issue.labels], said).toEqual(['merged', ['auto-merged', 'chore']]);
  // A number may be lost with the daemon that took it; a pull request may not come twice.
  const kept = readdirSync(join(life.legion.state, 'repositories'), { recursive: true, encoding: 'utf8' });
  const records = kept.filter((name) => /\/\d+\.[^/]+\.json$/.test(name) && name.includes(id.toLowerCase()));
  expect(records, said).toHaveLength(1);
  expect(new Set(comments.map(({ text }) => text)).size, said).toBe(comments.length);
  const subjects = (await git(life.legion.repository, 'log', '--format=%s', 'main')).split('\n');
  const mine = subjects.filter((subject) => subject.includes(id));
  expect(mine, said).toHaveLength(1);
  return Object.fromEntries(workers.map(({ mode, attempt }) => [mode, attempt]));
}

/** Lets lives begin, cuts each as often as asked for, and lets it come to its end. */
async function cutLives(
  life: Life,
  cut: () => Promise<void>,
  check: (id: string, said: string) => Promise<void>,
): Promise<void> {
  const random = randomFrom(SEED);
  await life.stop();
  await life.startApart();
  for (let each = 0; each < LIVES; each += 1) {
    const id = await life.add({ status: 'Todo' });
    const after: number[] = [];
    for (let kill = 0; kill < KILLS_EACH; kill += 1) {
      const ms = Math.floor(random() * KILLED_WITHIN_MS);
      after.push(ms);
      await sleep(ms);
      await cut();
      await life.startApart();
    }
    await life.untilStatus(id, 'Done');
    await check(id, `LEGION_SEED=${SEED}, ${id} was cut after ${after.join(', ')} ms`);
  }
}

test(
  'wherever the daemon is killed in a life, each phase is done once, with one pull request and one merge',
  async () => {
    const life = await begin({ files: MERGING });
    await cutLives(
      life,
      () => life.kill(),
      async (id, said) => {
        const attempts = await expectOneLife(life, id, said);
        expect(attempts, said).toEqual({ plan: 1, implement: 2, test: 1, review: 1, merge: 1 });
      },
    );
  },
  KILLS_MOST_MS,
);

test(
  'wherever the whole machine dies in a life, with its workers, nothing is lost and nothing lands twice',
  async () => {
    const life = await begin({ yaml: UNDAUNTED, files: MERGING });
    const cut = async () => {
      await life.kill();
      await life.legion.endWorkers();
    };
    await cutLives(life, cut, async (id, said) => {
      await expectOneLife(life, id, said);
    });
  },
  KILLS_MOST_MS,
);
