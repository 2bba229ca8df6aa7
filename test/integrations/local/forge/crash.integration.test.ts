/**
 * Kills a merge with SIGKILL at any point. Afterwards the merge must be either complete or absent,
 * and after a retry there must be exactly one merge.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pullRequest, read } from '../../../ports/forge/conformance/forge-under-test.ts';
import { git } from '../../../ports/forge/git.ts';
import { chooseByEffort } from '../../../support/effort.ts';
import { type World, world } from './world.ts';

const KILLS = chooseByEffort(2, 20);

/**
 * For each step after which the kill is triggered, the maximum delay of the kill in milliseconds.
 * The steps of a merge are a few milliseconds apart.
 */
const POINTS = [
  ['begun', 60],
  ['written down', 6],
  ['moved', 6],
  ['recorded', 6],
] as const;
type Point = (typeof POINTS)[number][0];

/**
 * Time for twenty starts of Node and twice as many merges. A busy machine may need several times as
 * long as an idle one.
 */
const TIMEOUT_MS = 180_000;

const MERGER = fileURLToPath(new URL('merger.ts', import.meta.url));
const { LEGION_SEED: given } = process.env;
const seed = Number(given ?? Math.floor(Math.random() * 2 ** 31));

describe.each(['ordinary', 'bare'] as const)('a merge in a repository that is %s', (kind) => {
  let here: World;
  beforeEach(() => {
    here = world(kind);
  });
  afterEach(() => here.dispose());

  test(`survives ${KILLS / 2} kills, and is never partial or executed twice (LEGION_SEED=${seed})`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    process.stdout.write(`merge crash test: LEGION_SEED=${seed}\n`);
    const random = randomFrom(seed);
    const first = await here.fresh();
    let acknowledged = 0;
    let landed = 0;
    for (let life = 1; life <= KILLS / 2; life += 1) {
      const branch = `eng-${life}`;
      const { number, headSha } = await pullRequest(here, first, branch, { [`${life}.txt`]: branch });
      const baseSha = await here.hand.baseSha();
      const [point, within] = POINTS[life % POINTS.length] ?? ['begun', 0];
      const said = await mergeAndDie(here, { number, headSha, baseSha }, point, random() * within);

      const forge = await here.reopen();
      const seen = await read(forge, branch);
      const base = await here.hand.baseSha();
      if (seen.state === 'merged') landed += 1;
      if (said !== undefined) {
        acknowledged += 1;
        expect(said, 'an acknowledged merge has happened').toBe(seen.mergedSha);
      }
      expect([baseSha, seen.mergedSha], 'the base contains this merge or nothing new').toContain(base);
      const { mergedSha } = await forge.merge(number, { headSha, baseSha });
      if (seen.state === 'merged') expect(mergedSha).toBe(seen.mergedSha);

      expect(await here.hand.baseLength(), 'one commit per merge').toBe(life + 1);
      expect(await here.hand.baseSha()).toBe(mergedSha);
      expect(await here.hand.readOnBase(`${life}.txt`)).toBe(branch);
      if (kind === 'ordinary') expect(await git(here.repository, 'status', '--porcelain')).toBe('');
      await forge.close();
    }
    expect(await git(here.repository, 'fsck', '--strict', '--no-dangling')).toBe('');
    process.stdout.write(
      `${kind}: ${landed} of ${KILLS / 2} had landed, ${acknowledged} were acknowledged\n`,
    );
  });
});

interface Asked {
  readonly number: number;
  readonly headSha: string;
  readonly baseSha: string;
}

/** Resolves to the commit that the merger printed before it was killed. */
async function mergeAndDie(
  here: World,
  asked: Asked,
  point: Point,
  delay: number,
): Promise<string | undefined> {
  const { number, headSha, baseSha } = asked;
  const child = spawn(
    process.execPath,
    [MERGER, here.repository, here.state, String(number), headSha, baseSha],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(here.folder, 'compiled') },
    },
  );
  const closed = once(child, 'close');
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const reached: Readonly<Record<Point, () => boolean>> = {
    begun: () => lines.length > 0,
    'written down': () => recordIn(here, number).includes('"commit"'),
    moved: () => presentBase(here) !== baseSha,
    recorded: () => recordIn(here, number).includes('"merged"'),
  };
  while (!reached[point]() && child.exitCode === null) await setImmediate();
  await sleep(delay);
  child.kill('SIGKILL');
  await closed; // also waits for a git process that outlives its parent and keeps the pipe open
  return lines[1];
}

/** Returns the path of the pull request's record. The kill is timed by changes to this file. */
function recordIn({ state }: World, number: number): string {
  return readFileSync(join(state, 'pull-requests', `${number}.eng-${number}.json`), 'utf8');
}

function presentBase({ repository }: World): string {
  const gitDir = existsSync(join(repository, '.git')) ? join(repository, '.git') : repository;
  const file = join(gitDir, 'refs/heads/main');
  return existsSync(file)
    ? readFileSync(file, 'utf8').trim()
    : (readFileSync(join(gitDir, 'packed-refs'), 'utf8')
        .split('\n')
        .find((line) => line.endsWith(' refs/heads/main'))
        ?.slice(0, 40) ?? '');
}

/** Returns pseudo-random numbers from 0 to 1 for the seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
