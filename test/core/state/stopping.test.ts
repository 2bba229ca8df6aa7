import { describe, expect, test } from 'vitest';
import type { Action, EndCondition } from '../../../src/core/model/action.ts';
import { REASONS, type ReasonCode } from '../../../src/core/pipeline/reasons.ts';
import { findWaitStart } from '../../../src/core/state/explain-wait.ts';
import {
  explainWhileStopping,
  findPendingStop,
  listStoppingWorkers,
} from '../../../src/core/state/stopping.ts';
import { SmallWorld } from './small-world.ts';

const ISSUE = 'A-1';
const GRACE_MS = 30_000;
const LIMITS = { stopGrace: GRACE_MS };
const WHY = 'A-1 was moved to Backlog';

/** Creates an implementer whose running process was stopped 12 s ago. */
function stopped(): SmallWorld {
  const world = new SmallWorld();
  world.add(ISSUE, { column: 'Backlog' });
  const about = { issue: ISSUE, mode: 'implement', attempt: 1 } as const;
  world.take({ type: 'attempt.dispatched', ...about, session: 's', version: 0, host: 'here' });
  world.take({ type: 'attempt.spawned', ...about, pid: 7, startTime: '7' });
  world.take({ type: 'attempt.active', ...about });
  world.now += 60_000;
  world.take({ type: 'attempt.stopped', ...about, why: WHY });
  world.take({ type: 'intent.opened', intent: 1, command: { kind: 'stop', ...about, evidence: [WHY] } });
  world.now += 12_000;
  return world;
}

const implementer = ({ state }: SmallWorld) => {
  const worker = state.workers.get('a-1-implement');
  return worker && findPendingStop(state, worker, LIMITS);
};

describe('a worker that is being stopped', () => {
  test('has a grace period that starts with the stop request', () => {
    const world = stopped();
    const since = world.now - 12_000;
    expect(implementer(world)).toEqual({ since, graceEndsAt: since + GRACE_MS, why: WHY });
  });

  test('loses its grace period in a halt', () => {
    const world = stopped();
    const why = 'halted by ada: the bill';
    world.take({ type: 'breaker.opened', breaker: 1, kind: 'halt', by: 'ada', why });
    expect(implementer(world)).toMatchObject({ graceEndsAt: world.now });
  });

  test('is no longer stopping once its process has exited', () => {
    const world = stopped();
    const exit = { code: 0, signal: null };
    world.take({ type: 'attempt.exited', issue: ISSUE, mode: 'implement', attempt: 1, ...exit });
    expect(implementer(world)).toBeUndefined();
    expect(listStoppingWorkers(world.state, LIMITS)).toEqual([]);
  });
});

describe('an issue whose worker is being stopped', () => {
  const explain = (reason: ReasonCode) => {
    const world = stopped();
    const { says, until }: { says: string; until: EndCondition } = REASONS[reason];
    return explainWhileStopping({ reason, says, until }, listStoppingWorkers(world.state, LIMITS), world.now);
  };
  const times = 'began 12s ago, at most 18s of its grace period left';

  test.each<ReasonCode>(['due', 'worker_lost'])(
    'waits for that worker whatever is due next (%s)',
    (reason) => {
      const says = `The implement worker is stopping (${WHY}; ${times}).`;
      expect(explain(reason)).toEqual({ says, until: { by: 'event', what: 'that worker has ended' } });
    },
  );

  test('is finished only once that worker has ended', () => {
    expect(explain('done')).toEqual({
      says: `The issue is Done. The implement worker is stopping (${WHY}; ${times}).`,
      until: { by: 'nothing_more', what: 'nothing more will happen once that worker has ended' },
    });
  });

  test('still waits for a person if it is paused', () => {
    expect(explain('paused')).toEqual({
      says: `The issue is paused. The implement worker is stopping (${times}).`,
      until: REASONS.paused.until,
    });
  });
});

describe('the start time of a wait', () => {
  const decided = (world: SmallWorld, decision: number, action: Action, reason: ReasonCode) =>
    world.take({
      type: 'decision.made',
      issue: ISSUE,
      decision,
      action,
      mode: 'implement',
      reason,
      evidence: [],
    });
  const find = ({ state }: SmallWorld, reason: ReasonCode, action: 'skip' | 'retry_pr_check' = 'skip') =>
    findWaitStart(state, ISSUE, { action, reason });

  test('is the time at which its reason began, not the time at which the previous worker started', () => {
    const world = stopped();
    decided(world, 1, 'skip', 'worker_live');
    world.now += 60_000;
    decided(world, 2, 'skip', 'waits_for_approval');
    expect(find(world, 'waits_for_approval')).toBe(world.now);
  });

  test('is the time at which a check was first tried, even if the reason changes later', () => {
    const world = stopped();
    decided(world, 1, 'retry_pr_check', 'pr_unknown');
    const began = world.now;
    world.now += 60_000;
    decided(world, 2, 'retry_pr_check', 'waited_too_long');
    expect(find(world, 'waited_too_long', 'retry_pr_check')).toBe(began);
  });

  test('is the time at which a person held the issue', () => {
    const world = stopped();
    decided(world, 1, 'skip', 'worker_live');
    world.now += 60_000;
    const hold = { by: 'ada', why: 'stopped the implement worker' };
    world.take({
      type: 'labels.owed',
      issue: ISSUE,
      revision: 1,
      add: ['legion-paused'],
      remove: [],
      ...hold,
    });
    const held = world.now;
    world.now += 30_000;
    decided(world, 2, 'skip', 'paused');
    expect(find(world, 'paused')).toBe(held);
  });

  test('is the time at which a worker was stopped, until Legion makes its next decision', () => {
    const world = stopped();
    decided(world, 1, 'skip', 'worker_live');
    expect(find(world, 'done')).toBe(world.now - 12_000);
  });

  test('is unknown before Legion has made a decision', () => {
    expect(find(new SmallWorld(), 'due')).toBeUndefined();
  });
});
