import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeRepository, newHome, writeLegionFile } from '../cli/support/home.ts';
import { perform } from '../cli/support/in-process.ts';
import { legionIn, type Said } from '../cli/support/legion.ts';
import { RETRIED_TIME_LIMIT } from './retried-time-limit.ts';

const ROUNDS = 8;
/**
 * Documented maximum time until the second daemon refuses to run. Starting without a competitor
 * takes a third of this time.
 */
const MAX_REFUSAL_MS = 2_000;

/**
 * Each round has two starts and a stop. It takes three seconds, or many times longer on a busy
 * machine.
 */
const MAX_TEST_MS = 180_000;

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

test("of two daemons started at once, one keeps running, and the other exits within two seconds and reports the first one's process", {
  ...RETRIED_TIME_LIMIT,
  timeout: MAX_TEST_MS,
}, async () => {
  const waits: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = await Promise.all([timed('up', '--json'), timed('up', '--json')]);
    const [winner, ...others] = both.filter(({ code }) => code === 0);
    const [loser] = both.filter(({ code }) => code !== 0);
    expect([winner, others, loser], JSON.stringify(both)).toEqual([expect.anything(), [], expect.anything()]);
    const { pid } = JSON.parse(winner?.stdout ?? '') as { pid: number };
    expect(loser?.stderr).toContain('daemon.running');
    expect(loser?.stderr).toMatch(new RegExp(`(?:led by process|already running: pid) ${pid}\\b`));
    waits.push(Math.round(loser?.ms ?? Number.POSITIVE_INFINITY));
    expect((await perform(here, 'status', '--json')).out).toContain(`"pid":${pid}`);
    await perform(here, 'down');
  }
  expect(Math.max(...waits), `the others exited after ${waits.join(', ')} ms`).toBeLessThanOrEqual(
    MAX_REFUSAL_MS,
  );
});
