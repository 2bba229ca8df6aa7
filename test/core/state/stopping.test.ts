import { describe, expect, test } from 'vitest';
import type { Action } from '../../../src/core/model/action.ts';
import { REASONS, type ReasonCode } from '../../../src/core/pipeline/reasons.ts';
import type { Until } from '../../../src/domain/decision.ts';
import { explainWhileStopping, stoppingOf, stoppingWorkers } from '../../../src/swarm/stopping.ts';
import { findWaitStart } from '../../../src/swarm/wait-start.ts';
import { SmallWorld } from './small-world.ts';

const ISSUE = 'A-1';
const GRACE_MS = 30_000;
const LIMITS = { stopGrace: GRACE_MS };
const WHY = 'A-1 was moved to Backlog';

/** An implementer with a process that was stopped 12 s ago. */
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

const implementer = ({ swarm }: SmallWorld) => {
  const worker = swarm.workers.get('a-1-implement');
  return worker && stoppingOf(swarm, worker, LIMITS);
};

describe('a worker that is being stopped', () => {
  test('has its grace period from the moment it was stopped', () => {
    const world = stopped();
    const since = world.now - 12_000;
    expect(implementer(world)).toEqual({ since, graceEndsAt: since + GRACE_MS, why: WHY });
  });

  test('loses its grace period to a halt', () => {
    const world = stopped();
    const why = 'halted by ada: the bill';
    world.take({ type: 'breaker.opened', breaker: 1, kind: 'halt', by: 'ada', why });
    expect(implementer(world)).toMatchObject({ graceEndsAt: world.now });
  });

  test('is no longer stopping when its process has ended', () => {
    const world = stopped();
    const exit = { code: 0, signal: null };
    world.take({ type: 'attempt.exited', issue: ISSUE, mode: 'implement', attempt: 1, ...exit });
    expect(implementer(world)).toBeUndefined();
    expect(stoppingWorkers(world.swarm, LIMITS)).toEqual([]);
  });
});

describe('an issue whose worker is being stopped', () => {
  const explain = (reason: ReasonCode) => {
    const world = stopped();
    const { says, until }: { says: string; until: Until } = REASONS[reason];
    return explainWhileStopping({ reason, says, until }, stoppingWorkers(world.swarm, LIMITS), world.now);
  };
  const times = 'began 12s ago, at most 18s of its grace period left';

  test.each<ReasonCode>(['due', 'worker_lost'])(
    'waits for that worker, whatever is due next (%s)',
    (reason) => {
      const says = `The implement worker is stopping (${WHY}; ${times}).`;
      expect(explain(reason)).toEqual({ says, until: { by: 'event', what: 'that worker has ended' } });
    },
  );

  test('is over only when that worker has ended', () => {
    expect(explain('done')).toEqual({
      says: `The issue is Done. The implement worker is stopping (${WHY}; ${times}).`,
      until: { by: 'nothing_more', what: 'nothing more will happen once that worker has ended' },
    });
  });

  test('still waits for a person', () => {
    expect(explain('paused')).toEqual({
      says: `The issue is paused. The implement worker is stopping (${times}).`,
      until: REASONS.paused.until,
    });
  });
});

describe('the start of a wait', () => {
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
  const find = ({ swarm }: SmallWorld, reason: ReasonCode, action: 'skip' | 'retry_pr_check' = 'skip') =>
    findWaitStart(swarm, ISSUE, { action, reason });

  test('is when its reason began, not when the worker before it started', () => {
    const world = stopped();
    decided(world, 1, 'skip', 'worker_live');
    world.now += 60_000;
    decided(world, 2, 'skip', 'waits_for_approval');
    expect(find(world, 'waits_for_approval')).toBe(world.now);
  });

  test('is the first try of a check, whatever the check turns out to wait for', () => {
    const world = stopped();
    decided(world, 1, 'retry_pr_check', 'pr_unknown');
    const began = world.now;
    world.now += 60_000;
    decided(world, 2, 'retry_pr_check', 'waited_too_long');
    expect(find(world, 'waited_too_long', 'retry_pr_check')).toBe(began);
  });

  test('is when a person held the issue', () => {
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

  test('is when a worker was stopped, until Legion has decided again', () => {
    const world = stopped();
    decided(world, 1, 'skip', 'worker_live');
    expect(find(world, 'done')).toBe(world.now - 12_000);
  });

  test('is not known before Legion has decided', () => {
    expect(find(new SmallWorld(), 'due')).toBeUndefined();
  });
});
