import { expect, test } from 'vitest';
import type { Purpose } from '../../../src/core/model/command.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import { workerId } from '../../../src/core/model/ids.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import { emptySwarm, type Swarm } from '../../../src/core/state/state.ts';

const about = { issue: 'A-1', mode: 'implement' } as const;

/** Takes the events in, one second after the other. */
function take(swarm: Swarm, ...bodies: readonly EventBody[]): void {
  for (const body of bodies) {
    const seq = swarm.version + 1;
    evolve(swarm, { seq, at: seq * 1_000, ...body } as Parameters<typeof evolve>[1]);
  }
}

function dispatch(attempt: number, purpose?: Purpose): EventBody {
  return { type: 'attempt.dispatched', ...about, attempt, session: 's', version: 0, host: 'h', purpose };
}

function checkpoint(attempt: number): EventBody {
  const text = {
    stage: 'half',
    completed: ['a'],
    remaining: ['all, depends on the answer'],
    lastAction: 'asked',
  };
  return { type: 'checkpoint.saved', ...about, attempt, checkpoint: 1, ...text };
}

function report(attempt: number, outcome: 'done' | 'error'): EventBody[] {
  return [
    { type: 'attempt.reported', ...about, attempt, report: 1, outcome, summary: 'x' },
    { type: 'attempt.report_accepted', ...about, attempt, report: 1 },
  ];
}

function crash(attempt: number): EventBody {
  return { type: 'attempt.crashed', ...about, attempt, evidence: ['gone'] };
}

function saved(swarm: Swarm) {
  return swarm.workers.get(workerId(about.issue, about.mode))?.checkpoint?.stage;
}

test('a checkpoint is gone once the phase is accepted', () => {
  const swarm = emptySwarm();
  take(swarm, dispatch(1, 'start'), checkpoint(1));
  expect(saved(swarm)).toBe('half');
  take(swarm, ...report(1, 'done'));
  expect(saved(swarm)).toBeUndefined();
  take(swarm, dispatch(2, 'retro'));
  expect(saved(swarm)).toBeUndefined();
});

test('a checkpoint stays for the attempt that continues: after an error, a crash, an answer, a message', () => {
  const swarm = emptySwarm();
  take(swarm, dispatch(1, 'start'), checkpoint(1), ...report(1, 'error'), dispatch(2, 'crash'));
  expect(saved(swarm)).toBe('half');
  take(
    swarm,
    crash(2),
    dispatch(3, 'feedback'),
    crash(3),
    dispatch(4, 'operator'),
    crash(4),
    dispatch(5, 'start'),
  );
  expect(saved(swarm)).toBe('half');
});

test.each<Purpose>(['retro', 'ci_failure', 'test_failure', 'review_changes', 'conflict', 'quality_gate'])(
  'a checkpoint does not outlive the call for %s, and one saved since then does outlive its crash',
  (purpose) => {
    const swarm = emptySwarm();
    take(swarm, dispatch(1, 'start'), checkpoint(1), crash(1), dispatch(2, purpose));
    expect(saved(swarm)).toBeUndefined();
    take(swarm, checkpoint(2), crash(2), dispatch(3, purpose));
    expect(saved(swarm)).toBe('half');
  },
);

test('a journal of an older version, which names no purpose, keeps the checkpoint', () => {
  const swarm = emptySwarm();
  take(swarm, dispatch(1), checkpoint(1), crash(1), dispatch(2));
  expect(saved(swarm)).toBe('half');
});
