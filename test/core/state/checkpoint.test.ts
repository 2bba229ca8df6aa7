import { expect, test } from 'vitest';
import type { SpawnPurpose } from '../../../src/core/model/command.ts';
import type { EventBody } from '../../../src/core/model/event.ts';
import { toWorkerId } from '../../../src/core/model/ids.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import { createLegionState, type LegionState } from '../../../src/core/state/state.ts';

const about = { issue: 'A-1', mode: 'implement' } as const;

/** Applies the events, one second apart. */
function take(state: LegionState, ...bodies: readonly EventBody[]): void {
  for (const body of bodies) {
    const seq = state.version + 1;
    evolve(state, { seq, at: seq * 1_000, ...body } as Parameters<typeof evolve>[1]);
  }
}

function dispatch(attempt: number, purpose?: SpawnPurpose): EventBody {
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

function saved(state: LegionState) {
  return state.workers.get(toWorkerId(about.issue, about.mode))?.checkpoint?.stage;
}

test('removes a checkpoint once the phase is accepted', () => {
  const state = createLegionState();
  take(state, dispatch(1, 'start'), checkpoint(1));
  expect(saved(state)).toBe('half');
  take(state, ...report(1, 'done'));
  expect(saved(state)).toBeUndefined();
  take(state, dispatch(2, 'retro'));
  expect(saved(state)).toBeUndefined();
});

test('keeps the checkpoint of an attempt that continues after an error, a crash, an answer or a message', () => {
  const state = createLegionState();
  take(state, dispatch(1, 'start'), checkpoint(1), ...report(1, 'error'), dispatch(2, 'crash'));
  expect(saved(state)).toBe('half');
  take(
    state,
    crash(2),
    dispatch(3, 'feedback'),
    crash(3),
    dispatch(4, 'operator'),
    crash(4),
    dispatch(5, 'start'),
  );
  expect(saved(state)).toBe('half');
});

test.each<SpawnPurpose>([
  'retro',
  'ci_failure',
  'test_failure',
  'review_changes',
  'conflict',
  'quality_gate',
])(
  'drops the checkpoint when the purpose becomes %s, but a checkpoint saved after that survives a crash',
  (purpose) => {
    const state = createLegionState();
    take(state, dispatch(1, 'start'), checkpoint(1), crash(1), dispatch(2, purpose));
    expect(saved(state)).toBeUndefined();
    take(state, checkpoint(2), crash(2), dispatch(3, purpose));
    expect(saved(state)).toBe('half');
  },
);

test('keeps the checkpoint if an older version wrote the journal without the purpose of each dispatch', () => {
  const state = createLegionState();
  take(state, dispatch(1), checkpoint(1), crash(1), dispatch(2));
  expect(saved(state)).toBe('half');
});
