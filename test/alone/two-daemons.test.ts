import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeRepository, newHome, writeLegionFile } from '../cli/support/home.ts';
import { perform } from '../cli/support/in-process.ts';
import { legionIn, type Said } from '../cli/support/legion.ts';
import { PROMISED_IN_SECONDS } from './shared-machine.ts';

const ROUNDS = 8;
/** What is promised; a start alone takes a third of it. */
const REFUSED_MOST_MS = 2_000;

/** Two starts and an end a round: three seconds, on a busy machine many times that. */
const TEST_MOST_MS = 180_000;

const home = newHome();
const here = { cwd: home.repository, env: home.env };
beforeAll(() => {
  makeRepository(home.repository);
  writeLegionFile(home.repository);
});
afterEach(async () => {
  await perform(here, 'down');
});
afterAll(() => home.remove());

async function timed(...args: readonly string[]): Promise<Said & { ms: number }> {
  const begun = performance.now();
  const said = await legionIn(here, ...args);
  return { ...said, ms: performance.now() - begun };
}

test('of two daemons that are started at once one runs; the other says within two seconds who that is, and ends', {
  ...PROMISED_IN_SECONDS,
  timeout: TEST_MOST_MS,
}, async () => {
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = await Promise.all([timed('up', '--json'), timed('up', '--json')]);
    const [winner, ...others] = both.filter(({ code }) => code === 0);
    const [loser] = both.filter(({ code }) => code !== 0);
    expect([winner, others, loser], JSON.stringify(both)).toEqual([expect.anything(), [], expect.anything()]);
    const { pid } = JSON.parse(winner?.stdout ?? '') as { pid: number };
    expect(loser?.stderr).toContain('daemon.running');
    expect(loser?.stderr).toMatch(new RegExp(`led by (?:process|pid) ${pid}\\b`));
    waits.push(Math.round(loser?.ms ?? Number.POSITIVE_INFINITY));
    expect((await perform(here, 'status', '--json')).out).toContain(`"pid":${pid}`);
    await perform(here, 'down');
  }
  expect(Math.max(...waits), `the others ended after ${waits.join(', ')} ms`).toBeLessThanOrEqual(
    REFUSED_MOST_MS,
  );
});
