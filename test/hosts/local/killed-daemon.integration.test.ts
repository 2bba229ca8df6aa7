/**
 * Kills a daemon with `kill -9` at random moments of a start. The attempt must run once or not at
 * all, and a retry must start it only if it is not running.
 */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { randomFrom, SEED } from '../../ports/host/random.ts';
import { eventually, order, SCRIPTS } from '../../ports/host/workers.ts';
import { chooseByEffort } from '../../support/effort.ts';
import { useHarness } from './present.ts';

const KILLS = chooseByEffort(4, 30);
/**
 * Approximate time that a daemon takes, from its first output, to open the host and start its
 * attempts.
 */
const STARTING_MS = 80;
const ATTEMPTS = 3;

/** 30 starts of Node take 0.3 s each. A busy machine may need several times as long. */
const TIMEOUT_MS = 120_000;

const present = useHarness();

test(`the host survives ${KILLS} kills of its daemon during worker starts (LEGION_SEED=${SEED})`, {
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
    // All random moments may be too late, so the first kill always comes before any start.
    if (life > 1 && daemon.stdout !== null) {
      await once(daemon.stdout, 'data');
      // The last kill always comes while workers are being started.
      if (life === KILLS) await eventually('its first start', () => (existsSync(known) ? true : undefined));
      else await sleep(random() * STARTING_MS);
    }
    daemon.kill('SIGKILL');
    await over;
    const begun = existsSync(known) ? readdirSync(known).length : 0;
    cut[begun === 0 ? 'before' : begun < ATTEMPTS ? 'between' : 'after'] += 1;

    // Starts requested by the killed daemon may still be in progress during the retry.
    const started = await Promise.all(orders.map((each) => host.start(each)));
    await eventually('all its marks', () => (linesOf(ran) >= ATTEMPTS ? true : undefined));
    await sleep(20);
    expect(linesOf(ran), `life ${life}`).toBe(ATTEMPTS);
    const found = await host.adopt();
    const ours = found.filter(({ worker }) => worker === `a-${life}-plan`);
    expect(ours.map(({ pid }) => pid).toSorted()).toEqual(started.map(({ pid }) => pid).toSorted());
    for (const each of ours) await host.signal(each, 'KILL');
  }
  // The test proves nothing unless some kills came before all workers had started and some after
  // the first start.
  expect(cut.before + cut.between, JSON.stringify(cut)).toBeGreaterThan(0);
  expect(cut.between + cut.after, JSON.stringify(cut)).toBeGreaterThan(0);
});

function linesOf(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}
