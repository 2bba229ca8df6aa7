import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import { giveWord, waitForWord } from '../../daemon/life/signs.ts';
import { until } from '../../support/running-daemon.ts';
import { doubleDispatches, reportsOf } from '../support/attempts.ts';
import { stage } from '../support/legion.ts';
import { killWorker, processesOfWorker } from '../support/worker-processes.ts';

const begin = stage();

/** From its start until every worker is adopted, finished or started again: the contract. */
const RECOVERED_WITHIN_MS = 10_000;

/**
 * The contract has a grace of 60 s before any verdict, 5 s between two looks at the dead, 10 s before they start again and up to
 * 15 s of spreading after a quota reset. All of these come on top, so they are short here; everything else is as it is.
 */
const SHORT_GRACE = `limits: { respawns: 1, per_mode: { implement: 0 } }
health: { grace: 0.5s, second_look: 0.1s, backoff_first: 0.1s, quota_jitter: 0s, breaker_crashes: 100 }
`;

/** Long enough for the daemon to end before it. */
const RESET_S = 4;

const PLAN = [{ handoff: { summary: 'the plan' } }, { done: 'planned' }];

const FATES = {
  'alive one': [{ say: 'thinking' }, waitForWord('adopted'), ...PLAN],
  'alive two': [{ say: 'thinking' }, waitForWord('adopted'), ...PLAN],
  'alive three': [{ say: 'thinking' }, waitForWord('adopted'), ...PLAN],
  'finished one': [{ say: 'thinking' }, waitForWord('alone'), ...PLAN],
  'finished two': [{ say: 'thinking' }, waitForWord('alone'), ...PLAN],
  'killed one': [{ say: 'thinking' }, { hang: 'silent' }],
  'killed two': [{ say: 'thinking' }, { hang: 'silent' }],
  'ended without a word': [{ say: 'thinking' }, waitForWord('alone'), { exit: 0 }],
  'waits for a person': [{ ask: 'Red or blue?' }, ...PLAN],
  'reset has passed': [{ rate_limited: { reset_in: `${RESET_S}s` } }, { exit: 1 }],
} as const;
type Fate = keyof typeof FATES;
const fates = Object.keys(FATES) as Fate[];

function statusBefore(fate: Fate): string {
  if (fate.startsWith('reset')) return 'waiting-quota';
  return fate === 'waits for a person' ? 'waiting-user' : 'executing';
}

/** What must have become of each: its attempt and where it stands. */
const AFTER: Readonly<Record<Fate, readonly [number, string]>> = {
  'alive one': [1, 'executing'],
  'alive two': [1, 'executing'],
  'alive three': [1, 'executing'],
  'finished one': [1, 'finished'],
  'finished two': [1, 'finished'],
  'killed one': [2, 'finished'],
  'killed two': [2, 'finished'],
  'ended without a word': [2, 'finished'],
  'waits for a person': [1, 'waiting-user'],
  'reset has passed': [2, 'finished'],
};

test('of ten workers a daemon that starts adopts, finishes or starts again each one within ten seconds', async () => {
  const life = await begin({
    yaml: SHORT_GRACE,
    scenario: fates.map((fate) => ({ title: fate, round: 1, steps: FATES[fate] })),
  });
  const { legion } = life;
  const ids = new Map<Fate, string>();
  const workers = async (): Promise<ReadonlyMap<Fate, WorkerView | undefined>> => {
    const all = await life.door.get<WorkerView[]>('/workers');
    return new Map(fates.map((fate) => [fate, all.find(({ issue }) => issue === ids.get(fate))]));
  };
  let before = await workers();
  for (const fate of fates) {
    ids.set(fate, await life.add({ status: 'Todo', title: fate }));
    // One after the other, and the one with the early reset last: it must still wait when the daemon ends.
    before = await until(workers, (all) => all.get(fate)?.status === statusBefore(fate), 100_000);
  }
  await life.stop();
  const stoppedAt = performance.now();
  const idOf = (fate: Fate) => before.get(fate)?.id ?? '';
  for (const fate of ['killed one', 'killed two'] as const) await killWorker(legion.state, idOf(fate));
  giveWord(life.legion, 'alone');
  for (const fate of ['finished one', 'finished two', 'ended without a word'] as const) {
    await until(
      async () => processesOfWorker(legion.state, idOf(fate)),
      (left) => left.length === 0,
      100_000,
    );
  }
  const outbox = join(legion.state, 'outbox', idOf('finished one'), '1');
  expect(existsSync(outbox) ? readdirSync(outbox) : []).toHaveLength(2);
  await sleep(Math.max(0, RESET_S * 1_000 - (performance.now() - stoppedAt)));

  const begunAt = performance.now();
  await life.start();
  const isAsItShould = (all: ReadonlyMap<Fate, WorkerView | undefined>) =>
    fates.every((fate) => {
      const { attempt, status } = all.get(fate) ?? {};
      return [attempt, status].join() === AFTER[fate].join();
    });
  const after = await until(workers, isAsItShould, 100_000);
  const took = performance.now() - begunAt;
  expect(took).toBeLessThan(RECOVERED_WITHIN_MS);

  for (const fate of ['alive one', 'alive two', 'alive three'] as const)
    expect(after.get(fate)?.pid).toBe(before.get(fate)?.pid);
  const crashes = fates.map((fate) => after.get(fate)?.crashes);
  expect(crashes).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 0, 0]);
  const inbox = await life.inbox();
  expect(inbox.map(({ kind, issue }) => [kind, issue])).toEqual([
    ['question', ids.get('waits for a person')],
  ]);

  // The living end what they began, and who waited is answered.
  giveWord(life.legion, 'adopted');
  await life.door.post(`/issues/${ids.get('waits for a person')}/answer`, { text: 'Blue.', by: 'Ada' });
  for (const fate of fates) await life.untilStatus(ids.get(fate) ?? '', 'In Progress');
  const events = await life.door.events();
  expect(doubleDispatches(events)).toEqual([]);
  expect(reportsOf(events)).toHaveLength(fates.length);
  const waiting = events.find(
    (event) => event.type === 'attempt.waiting' && event.issue === ids.get('reset has passed'),
  );
  const again = events.find(
    (event) =>
      event.type === 'attempt.dispatched' &&
      event.issue === ids.get('reset has passed') &&
      event.attempt === 2,
  );
  expect(again?.at).toBeGreaterThanOrEqual((waiting as { until: number }).until);
});
