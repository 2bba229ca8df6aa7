/** Checks that finished work is merged on a busy repository just as it is on a quiet one. */
import { expect, test } from 'vitest';
import { FAULT_KINDS, type FaultKind } from '../../src/sim/faults.ts';
import { runSimulation, type SimulationResult } from '../../src/sim/simulation.ts';
import { chooseByEffort } from '../support/effort.ts';

const FROM = 700_000;
const SEEDS = chooseByEffort(20, 1_000);
const MOST_MS = SEEDS * 4_000;
/** Maximum cost with a moving base, as a multiple of the cost with a base that does not move. */
const MOST_TIMES = 1.1;

const QUIET = new Set<FaultKind>(FAULT_KINDS);
/**
 * Faults to disable. Two faults remain: the base moves every few minutes in files that no issue
 * changes, and workers rebase needlessly.
 */
const MOVING = new Set<FaultKind>(
  FAULT_KINDS.filter((kind) => kind !== 'moving base' && kind !== 'rebasing'),
);

async function runAll(without: ReadonlySet<FaultKind>): Promise<SimulationResult[]> {
  const runs: SimulationResult[] = [];
  for (let seed = FROM; seed < FROM + SEEDS; seed += 1) runs.push(await runSimulation(seed, without));
  return runs;
}

function sum(runs: readonly SimulationResult[], count: (each: SimulationResult) => number): number {
  return runs.reduce((total, each) => total + count(each), 0);
}

test(
  'if the base changes only in other files, there are hardly any extra sessions, and no passing pull request is paused',
  async () => {
    const [quiet, moving] = [await runAll(QUIET), await runAll(MOVING)];
    for (const { broken, faultCounts: troubles, seed } of moving) {
      expect(broken, `seed ${seed}`).toEqual([]);
      expect(troubles, `seed ${seed}`).not.toHaveProperty('pause');
    }
    expect(sum(moving, ({ faultCounts: troubles }) => troubles['base moved'] ?? 0)).toBeGreaterThan(SEEDS);
    expect(sum(moving, ({ faultCounts: troubles }) => troubles['needless rebase'] ?? 0)).toBeGreaterThan(
      SEEDS / 10,
    );
    expect(sum(moving, ({ merged }) => merged)).toBe(sum(quiet, ({ merged }) => merged));
    const perIssue = (runs: readonly SimulationResult[]) =>
      sum(runs, ({ sessions }) => sessions) / sum(runs, ({ merged }) => merged);
    const times = perIssue(moving) / perIssue(quiet);
    expect(
      times,
      `${perIssue(moving)} sessions per issue on a moving base, ${perIssue(quiet)} on a quiet one`,
    ).toBeLessThanOrEqual(MOST_TIMES);
  },
  MOST_MS,
);
