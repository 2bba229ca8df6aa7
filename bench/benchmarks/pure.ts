/**
 * Measures how many decisions Legion's pure code makes per second, and how many events it folds per
 * second.
 */
import type { Event } from '../../src/core/model/event.ts';
import type { LifecycleState } from '../../src/core/model/lifecycle.ts';
import type { IssueSignals } from '../../src/core/model/signals.ts';
import { STATUSES } from '../../src/core/model/status.ts';
import { decide } from '../../src/core/pipeline/decide.ts';
import { DEFAULT_POLICY } from '../../src/core/pipeline/policy.ts';
import { foldEvents } from '../../src/core/state/evolve.ts';
import { createLegionState } from '../../src/core/state/state.ts';
import type { Bench } from '../bench.ts';
import { computeRate, type Measurement } from '../measurement.ts';
import { createIssueEvents } from '../support/generated-journal.ts';

const GOAL_PER_SECOND = 1_000_000;
const ROUNDS = 15;
const SHORT_ROUNDS = 3;
/** Number of issues, in all statuses and states. Large enough to defeat the branch predictor. */
const BOARD = 1_000;
const BOARD_PASSES = 300;
const EVENTS = 200_000;

export const pureBench: Bench = {
  name: 'pure',
  description: 'decisions and folded events per second',
  deadlineMs: 120_000,
  async run({ short }) {
    const rounds = short ? SHORT_ROUNDS : ROUNDS;
    return [
      toRateMeasurement('decisions', computeDecisionRate(rounds)),
      toRateMeasurement('folded events', foldRate(rounds)),
    ];
  },
};

function computeDecisionRate(rounds: number): number {
  const board = Array.from({ length: BOARD }, (_, index) => createSignals(index));
  let actions = 0;
  return computeRate(rounds, () => {
    for (let pass = 0; pass < BOARD_PASSES; pass += 1) {
      for (const signals of board) actions += decide(signals, DEFAULT_POLICY).action.length;
    }
    // Uses the sum of the results, so that the work cannot be optimised away.
    return actions > 0 ? BOARD * BOARD_PASSES : 0;
  });
}

function foldRate(rounds: number): number {
  const events: Event[] = createIssueEvents(EVENTS).map((body, index) => ({
    ...body,
    seq: index + 1,
    at: index,
    epoch: 0,
  }));
  return computeRate(rounds, () => {
    const state = foldEvents(createLegionState(), events);
    if (state.ignored > 0) throw new Error(`${state.ignored} events of the benchmark were ignored`);
    return events.length;
  });
}

function createSignals(index: number): IssueSignals {
  const states: readonly LifecycleState[] = ['executing', 'finished', 'crashed', 'waiting-quota'];
  const done = index % 3 !== 0;
  return {
    issue: `BENCH-${index}`,
    status: STATUSES[index % STATUSES.length] ?? 'Todo',
    labels: new Set(done ? ['worker-done', 'test-passed', 'chore'] : ['worker-active', 'chore']),
    blockers: index % 11 === 0 ? ['BENCH-0'] : [],
    children: 'none',
    pullRequest: {
      state: 'open',
      draft: false,
      headSha: 'c1',
      review: index % 5 === 0 ? 'changes_requested' : 'approved',
      ci: index % 7 === 0 ? 'pending' : 'passing',
      mergeable: 'mergeable',
      namesIssue: true,
    },
    workers: { plan: 'finished', implement: states[index % states.length] ?? 'finished' },
    evidence: { test: 'passed', qualityGate: 'passed', retro: index % 2 === 0 ? 'passed' : 'none' },
    rounds: {},
    waitedTooLong: false,
    route: 'Backlog',
    icebox: 'unclarified',
    autoMerge: 'fail',
    scriptedWork: false,
  };
}

function toRateMeasurement(what: string, perSecond: number): Measurement {
  return {
    name: `${what} per second`,
    value: Math.round(perSecond),
    unit: '1/s',
    goal: '≥ 1,000,000',
    met: perSecond >= GOAL_PER_SECOND,
  };
}
