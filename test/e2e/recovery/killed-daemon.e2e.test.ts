import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { git } from '../../ports/forge/git.ts';
import { randomFrom, SEED } from '../../ports/host/random.ts';
import { chooseByEffort } from '../../support/effort.ts';
import { findDoubleDispatches, listReports } from '../support/attempts.ts';
import { AUTO_MERGE_FILES, setUpDaemons, type TestDaemon } from '../support/legion.ts';

const startDaemon = setUpDaemons();

const STARTS = chooseByEffort(1, 8);
const KILLS_EACH = chooseByEffort(2, 4);
/**
 * Maximum time until a kill, long enough for several phases. On an idle machine, a phase takes
 * about half a second, and so does a daemon start.
 */
const KILLED_WITHIN_MS = 1_500;
/** Maximum test time: a kill and the following start take one second, or five on a busy machine. */
const MAX_KILLS_MS = 120_000 + STARTS * (60_000 + KILLS_EACH * 10_000);

/** Allows many crashes without asking a person, because every kill may cause one. */
const UNDAUNTED = `limits: { respawns: 100 }
health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, backoff_most: 0.1s, after_step: 1s,
    loop_crashes: 1000, breaker_crashes: 1000 }
`;

/**
 * Checks everything that must be true of a run, wherever it was interrupted. Resolves to the last
 * attempt of each worker.
 */
async function expectUninterrupted(
  daemon: TestDaemon,
  id: string,
  said: string,
): Promise<Record<string, number>> {
  const { workers, comments, pullRequest, issue } = await daemon.detail(id);
  const events = (await daemon.client.events()).filter((event) => 'issue' in event && event.issue === id);
  const phases = listReports(events).map((report) => report.split(' ')[0]);
  expect(findDoubleDispatches(events), said).toEqual([]);
  expect(phases, said).toEqual(['plan', 'implement', 'test', 'review', 'implement', 'merge']);
  const landed = events.filter(({ type }) => type === 'merge.landed');
  expect(landed, said).toHaveLength(1);
  expect([pullRequest?.state, issue.labels], said).toEqual(['merged', ['auto-merged', 'chore']]);
  // The number of a pull request may be lost if the daemon that reserved it is killed. There must
  // not be two pull requests, however.
  const kept = readdirSync(join(daemon.legion.state, 'repositories'), { recursive: true, encoding: 'utf8' });
  const records = kept.filter((name) => /\/\d+\.[^/]+\.json$/.test(name) && name.includes(id.toLowerCase()));
  expect(records, said).toHaveLength(1);
  expect(new Set(comments.map(({ text }) => text)).size, said).toBe(comments.length);
  const subjects = (await git(daemon.legion.repository, 'log', '--format=%s', 'main')).split('\n');
  const mine = subjects.filter((subject) => subject.includes(id));
  expect(mine, said).toHaveLength(1);
  return Object.fromEntries(workers.map(({ mode, attempt }) => [mode, attempt]));
}

/** Runs one issue after the other, interrupts each as often as required and lets it finish. */
async function killRepeatedly(
  daemon: TestDaemon,
  cut: () => Promise<void>,
  check: (id: string, said: string) => Promise<void>,
): Promise<void> {
  const random = randomFrom(SEED);
  await daemon.stop();
  await daemon.startProcess();
  for (let each = 0; each < STARTS; each += 1) {
    const id = await daemon.add({ status: 'Todo' });
    const after: number[] = [];
    for (let kill = 0; kill < KILLS_EACH; kill += 1) {
      const ms = Math.floor(random() * KILLED_WITHIN_MS);
      after.push(ms);
      await sleep(ms);
      await cut();
      await daemon.startProcess();
    }
    await daemon.untilStatus(id, 'Done');
    await check(id, `LEGION_SEED=${SEED}, ${id} was interrupted after ${after.join(', ')} ms`);
  }
}

test(
  'completes each phase once, with one pull request and one merge, no matter when the daemon is killed',
  async () => {
    const daemon = await startDaemon({ files: AUTO_MERGE_FILES });
    await killRepeatedly(
      daemon,
      () => daemon.kill(),
      async (id, said) => {
        const attempts = await expectUninterrupted(daemon, id, said);
        expect(attempts, said).toEqual({ plan: 1, implement: 2, test: 1, review: 1, merge: 1 });
      },
    );
  },
  MAX_KILLS_MS,
);

test(
  'loses nothing and merges nothing twice, no matter when the daemon and its workers are killed together',
  async () => {
    const daemon = await startDaemon({ yaml: UNDAUNTED, files: AUTO_MERGE_FILES });
    const cut = async () => {
      await daemon.kill();
      await daemon.legion.endWorkers();
    };
    await killRepeatedly(daemon, cut, async (id, said) => {
      await expectUninterrupted(daemon, id, said);
    });
  },
  MAX_KILLS_MS,
);
