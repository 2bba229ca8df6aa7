/** Green work merges on a busy repository as it does on a quiet one. */
import { expect, test } from 'vitest';
import { KINDS, type Kind } from '../../src/sim/calm.ts';
import { type Told, tellStory } from '../../src/sim/story.ts';
import { effort } from '../support/effort.ts';

const FROM = 700_000;
const SEEDS = effort(20, 1_000);
const MOST_MS = SEEDS * 4_000;
/** How much more a base that others move may cost. */
const MOST_TIMES = 1.1;

const QUIET = new Set<Kind>(KINDS);
/** A base that moves every few minutes beside the work, and workers that rebase out of habit. */
const MOVING = new Set<Kind>(KINDS.filter((kind) => kind !== 'moving base' && kind !== 'rebasing'));

async function tellAll(without: ReadonlySet<Kind>): Promise<Told[]> {
  const told: Told[] = [];
  for (let seed = FROM; seed < FROM + SEEDS; seed += 1) told.push(await tellStory(seed, without));
  return told;
}

function sum(told: readonly Told[], count: (each: Told) => number): number {
  return told.reduce((total, each) => total + count(each), 0);
}

test(
  'a base that moves beside the work costs hardly any session, and pauses no green pull request',
  async () => {
    const [quiet, moving] = [await tellAll(QUIET), await tellAll(MOVING)];
    for (const { broken, troubles, seed } of moving) {
      expect(broken, `seed ${seed}`).toEqual([]);
      expect(troubles, `seed ${seed}`).not.toHaveProperty('pause');
    }
    expect(sum(moving, ({ troubles }) => troubles['base moved'] ?? 0)).toBeGreaterThan(SEEDS);
    expect(sum(moving, ({ troubles }) => troubles['needless rebase'] ?? 0)).toBeGreaterThan(SEEDS / 10);
    expect(sum(moving, ({ merged }) => merged)).toBe(sum(quiet, ({ merged }) => merged));
    const perIssue = (told: readonly Told[]) =>
      sum(told, ({ sessions }) => sessions) / sum(told, ({ merged }) => merged);
    const times = perIssue(moving) / perIssue(quiet);
    expect(
      times,
      `${perIssue(moving)} sessions an issue, ${perIssue(quiet)} on a quiet base`,
    ).toBeLessThanOrEqual(MOST_TIMES);
  },
  MOST_MS,
);
