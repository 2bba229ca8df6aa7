/** `kill -9` of a daemon at any instant of a start: the attempt runs once or not at all, and a retry makes it once. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { randomFrom, SEED } from '../../ports/host/random.ts';
import { eventually, order, SCRIPTS } from '../../ports/host/workers.ts';
import { effort } from '../../support/effort.ts';
import { useHarness } from './present.ts';

const KILLS = effort(4, 30);
/** A daemon opens the host and starts its attempts in about this time, counted from its first word. */
const STARTING_MS = 80;
const ATTEMPTS = 3;

/** 30 starts of Node at 0.3 s; a busy machine may need some times that. */
const TIMEOUT_MS = 120_000;

const present = useHarness();

test(`survives ${KILLS} kills of its daemon while it starts workers (LEGION_SEED=${SEED})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  process.stdout.write(`killed daemon: LEGION_SEED=${SEED}\n`);
  const { workspace, state, hastyDaemon, open } = present();
  const random = randomFrom(SEED);
  const host = await open();
  const cut = { before: 0, between: 0, after: 0 };
  for (let life = 1; life <= KILLS; life += 1) {
    const ran = join(workspace, `ran-${life}`);
    const orders = Array.from({ length: ATTEMPTS }, (_, index) =>
      order(workspace, SCRIPTS.countedForever, {
        arguments: [ran],
        worker: `a-${life}-plan`,
        attempt: index + 1,
      }),
    );
    const daemon = hastyDaemon(orders);
    const over = once(daemon, 'exit');
    const known = join(state, 'attempts', `a-${life}-plan`);
    // A few random moments may all come too early or too late, so the first kill precedes every start.
    if (life > 1 && daemon.stdout !== null) {
      await once(daemon.stdout, 'data');
      // The last kill certainly falls among the starts.
      if (life === KILLS) await eventually('its first start', () => (existsSync(known) ? true : undefined));
      else await sleep(random() * STARTING_MS);
    }
    daemon.kill('SIGKILL');
    await over;
    const begun = existsSync(known) ? readdirSync(known).length : 0;
    cut[begun === 0 ? 'before' : begun < ATTEMPTS ? 'between' : 'after'] += 1;

    // What the dead daemon began may still be on its way while we ask again.
    const started = await Promise.all(orders.map((each) => host.start(each)));
    await eventually('all its marks', () => (linesOf(ran) >= ATTEMPTS ? true : undefined));
    await sleep(20);
    expect(linesOf(ran), `life ${life}`).toBe(ATTEMPTS);
    const found = await host.adopt();
    const ours = found.filter(({ worker }) => worker === `a-${life}-plan`);
    expect(ours.map(({ pid }) => pid).toSorted()).toEqual(started.map(({ pid }) => pid).toSorted());
    for (const each of ours) await host.signal(each, 'KILL');
  }
  // A test that always or never hit the start would prove nothing.
  expect(cut.before + cut.between, JSON.stringify(cut)).toBeGreaterThan(0);
  expect(cut.between + cut.after, JSON.stringify(cut)).toBeGreaterThan(0);
});

function linesOf(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}
