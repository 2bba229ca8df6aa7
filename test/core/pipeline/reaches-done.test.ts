import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../src/core/model/action.ts';
import type { BoundVerdict } from '../../../src/core/model/evidence.ts';
import type { LifecycleState } from '../../../src/core/model/lifecycle.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import type { IssueSignals, KnownPullRequestSignals } from '../../../src/core/model/signals.ts';
import { STATUSES, type Status } from '../../../src/core/model/status.ts';
import { decide } from '../../../src/core/pipeline/decide.ts';
import { computeEffects, type DecisionEffects } from '../../../src/core/pipeline/effects.ts';
import { DEFAULT_POLICY, type PipelinePolicy } from '../../../src/core/pipeline/policy.ts';
import { pullRequest, signals } from './inputs.ts';

const POLICY: PipelinePolicy = {
  ...DEFAULT_POLICY,
  approvals: { architect: 'auto', merge: 'auto' },
  qualityGate: 'configured',
};

/** An issue and its environment. Its evidence applies to the current head. */
interface World {
  readonly status: Status;
  readonly labels: readonly string[];
  readonly pr: KnownPullRequestSignals | 'none';
  readonly workers: Readonly<Partial<Record<Mode, LifecycleState>>>;
  readonly purpose: string;
  readonly evidence: {
    readonly test: BoundVerdict;
    readonly qualityGate: BoundVerdict;
    readonly retro: BoundVerdict;
  };
}

describe('an issue', () => {
  for (const status of STATUSES) {
    test(`reaches Done from ${status} when all workers succeed`, () => {
      const { end, steps } = follow(begin(status), (worlds) => worlds[0]);
      expect(end.status, steps.join('\n')).toBe('Done');
    });
  }

  test('passes through every phase on its way', () => {
    const { steps } = follow(begin('Backlog'), (worlds) => worlds[0]);
    const phases = ['architect', 'plan', 'implement', 'test', 'review', 'implement for retro', 'merge'];
    expect(steps.filter((step) => step.startsWith('spawn ')).map((step) => step.slice(6))).toEqual(phases);
  });

  test.each([
    { setback: 'CI fails once', spawned: 'implement', outcome: 2 },
    { setback: 'the tests fail once', spawned: 'test', outcome: 1 },
    { setback: 'the review requests changes once', spawned: 'review', outcome: 1 },
  ])(
    'if $setback, returns to the implementer, is tested and reviewed again, and then reaches Done',
    ({ spawned, outcome }) => {
      let spoilt = false;
      const { end, steps } = follow(begin('In Progress'), (worlds, world) => {
        const theirs = world.workers[spawned as Mode] === 'executing' && !spoilt;
        spoilt ||= theirs;
        return worlds[theirs ? outcome : 0];
      });
      expect(end.status).toBe('Done');
      const again = steps.slice(steps.indexOf(`spawn ${spawned}`) + 1);
      expect(again).toEqual(
        ['implement', 'test', 'review', 'implement for retro', 'merge'].map((who) => `spawn ${who}`),
      );
    },
  );

  test('either ends in Done or waits for a person, however its workers behave, and never loops forever', () => {
    for (const labels of [[], ['architect-continuity']]) {
      for (const status of STATUSES) expect(search({ ...begin(status), labels })).toBeGreaterThan(0);
    }
  });
});

function begin(status: Status): World {
  return {
    status,
    labels: [],
    pr: ['In Progress', 'Testing', 'Needs Review', 'Retro'].includes(status)
      ? pullRequest({ review: 'none' })
      : 'none',
    workers: {},
    purpose: '',
    evidence: { test: 'none', qualityGate: 'none', retro: 'none' },
  };
}

function follow(from: World, pick: (worlds: readonly World[], from: World) => World | undefined) {
  const steps: string[] = [];
  let end = from;
  for (let step = 0; step < 100; step += 1) {
    const decision = decide(seen(end), POLICY);
    const { spawn } = computeEffects(decision, seen(end));
    if (spawn !== undefined)
      steps.push(`spawn ${spawn.mode}${spawn.purpose === 'retro' ? ' for retro' : ''}`);
    const next = pick(nextWorlds(end, decision), end);
    if (next === undefined) break;
    end = next;
  }
  return { end, steps };
}

/**
 * Searches every possible sequence of states, depth first. Rounds are counted, and the count is
 * limited and never decreases, so an endless run would have to repeat a state without counting a
 * round in between. The search fails on such a cycle.
 */
function search(from: World): number {
  const finished = new Set<string>();
  const waiting = [from];
  for (let world = waiting.pop(); world !== undefined; world = waiting.pop()) {
    visit(world, new Map(), finished, waiting);
  }
  return finished.size;
}

function visit(world: World, way: Map<string, string>, finished: Set<string>, afterCounted: World[]): void {
  const key = JSON.stringify(world);
  if (finished.has(key)) return;
  const decision = decide(seen(world), POLICY);
  const step = `${world.status}: ${decision.action} (${decision.reason})`;
  if (way.has(key)) expect.fail(`loops forever:\n${[...way.values(), step].join('\n→ ')}`);
  const next = nextWorlds(world, decision);
  if (next.length === 0) expect(`${world.status} ${decision.until.by}`).toMatch(/^Done|person$/);
  if (computeEffects(decision, seen(world)).round !== undefined) {
    afterCounted.push(...next);
  } else {
    way.set(key, step);
    for (const later of next) visit(later, way, finished, afterCounted);
    way.delete(key);
  }
  finished.add(key);
}

function seen(world: World): IssueSignals {
  return signals({
    status: world.status,
    labels: world.labels,
    pullRequest: world.pr,
    workers: world.workers,
    evidence: world.evidence,
    route: 'Backlog',
    icebox: 'due',
    autoMerge: 'pass',
  });
}

/**
 * Returns all possible next states: one if Legion acts, several if it waits for others, none if a
 * person must act.
 */
function nextWorlds(world: World, decision: Decision): readonly World[] {
  switch (decision.reason) {
    case 'done':
    case 'waits_for_answer':
    case 'waits_for_approval':
    case 'paused':
      return [];
    case 'worker_live':
      return workerOutcomes(world);
    case 'ci_pending':
      return (['passing', 'failing'] as const).map((ci) => withPr(world, { ci }));
    case 'mergeable_unknown':
      return (['mergeable', 'conflicting'] as const).map((mergeable) => withPr(world, { mergeable }));
    case 'quality_gate_due':
      return (['passed', 'failed', 'could_not_run'] as const).map((qualityGate) => ({
        ...world,
        evidence: { ...world.evidence, qualityGate },
      }));
    case 'no_pr':
    case 'no_review':
      // The first investigation step re-reads the forge, the second prompts the worker.
      return [0, 1].map((made) => {
        const rounds = { no_pr: made, no_review: made };
        return carriedOut(world, computeEffects(decision, { ...seen(world), rounds }));
      });
    default:
      return [carriedOut(world, computeEffects(decision, seen(world)))];
  }
}

function carriedOut(world: World, effects: DecisionEffects): World {
  const labels = new Set(world.labels);
  for (const label of effects.remove) labels.delete(label);
  for (const label of effects.add) labels.add(label);
  const { spawn } = effects;
  return {
    ...world,
    status: effects.moveTo ?? world.status,
    labels: [...labels].sort(),
    workers: spawn === undefined ? world.workers : { ...world.workers, [spawn.mode]: 'executing' },
    purpose: spawn?.purpose ?? world.purpose,
    pr:
      effects.addClosingKeyword === true && world.pr !== 'none'
        ? { ...world.pr, namesIssue: true }
        : world.pr,
  };
}

function workerOutcomes(world: World): readonly World[] {
  const mode = (Object.keys(world.workers) as Mode[]).find((each) => world.workers[each] === 'executing');
  const report = (changed: Partial<World>, ...labels: string[]): World => ({
    ...world,
    ...changed,
    workers: { ...world.workers, [mode as Mode]: 'finished' },
    labels: [...world.labels.filter((label) => label !== 'worker-active'), 'worker-done', ...labels].sort(),
  });
  switch (mode) {
    case 'architect':
      return world.purpose === 'plan_review'
        ? [report({}, 'arch-review-approved'), report({}, 'arch-review-changes'), report({})]
        : [report({})];
    case 'plan':
      return [report({})];
    case 'implement':
      return world.purpose === 'retro' ? retroOutcomes(world, report) : implementOutcomes(world, report);
    case 'test':
      return [
        report({ evidence: { ...world.evidence, test: 'passed' } }, 'test-passed'),
        report({ evidence: { ...world.evidence, test: 'failed' } }, 'test-failed'),
        report({}),
      ];
    case 'review':
      return (['approved', 'changes_requested', 'none'] as const).map((review) =>
        report(withPr(world, { review })),
      );
    default:
      return [report(withPr(world, { state: 'merged' })), report({}), report(pushed(world, {}))];
  }
}

type Report = (changed: Partial<World>, ...labels: string[]) => World;

function implementOutcomes(world: World, report: Report): readonly World[] {
  return [
    report(pushed(world, { ci: 'pending', mergeable: 'unknown' })),
    report(pushed(world, { ci: 'none', namesIssue: false })),
    report(pushed(world, { ci: 'failing', mergeable: 'conflicting' })),
    report({}),
  ];
}

function retroOutcomes(world: World, report: Report): readonly World[] {
  const proven = (changed: World): World => ({
    ...changed,
    evidence: { ...changed.evidence, retro: 'passed' },
  });
  return [report(proven(world)), report(proven(pushed(world, {}))), report({})];
}

/** A commit voids all earlier evidence. */
function pushed(world: World, parts: Partial<KnownPullRequestSignals>): World {
  const later = (verdict: BoundVerdict): BoundVerdict => (verdict === 'none' ? 'none' : 'void');
  const { test: tests, qualityGate, retro } = world.evidence;
  return {
    ...world,
    pr: pullRequest({ ci: 'passing', review: 'none', ...parts }),
    evidence: { test: later(tests), qualityGate: later(qualityGate), retro: later(retro) },
  };
}

function withPr(world: World, parts: Partial<KnownPullRequestSignals>): World {
  return { ...world, pr: { ...(world.pr === 'none' ? pullRequest() : world.pr), ...parts } };
}
