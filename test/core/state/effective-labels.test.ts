import { expect, test } from 'vitest';
import type { Event, EventBody } from '../../../src/core/model/event.ts';
import type { Label } from '../../../src/core/model/label.ts';
import { computeEffectiveLabels } from '../../../src/core/state/effective-labels.ts';
import { foldEvents } from '../../../src/core/state/evolve.ts';
import { createLegionState, type LegionState } from '../../../src/core/state/state.ts';

const issue = 'DEMO-1';
const owe = (revision: number, add: Label[], remove: Label[] = []): EventBody => ({
  type: 'labels.owed',
  issue,
  revision,
  add,
  remove,
});

/** A write that removes the labels of a finished phase and moves the issue. */
const ORDER_MOVE: EventBody = {
  type: 'intent.opened',
  intent: 1,
  command: {
    kind: 'write_issue',
    issue,
    moveTo: 'In Progress',
    add: [],
    remove: ['worker-active', 'worker-done'],
    covers: 1,
  },
};

function swarmAfter(...bodies: readonly EventBody[]): LegionState {
  const events = bodies.map((body, index): Event => ({ ...body, seq: index + 1, at: 1, epoch: 1 }));
  return foldEvents(createLegionState(), events);
}

const labelsAfter = (tracker: readonly string[], ...bodies: readonly EventBody[]) =>
  [...computeEffectiveLabels(tracker, swarmAfter(...bodies), issue)].sort();

test('labels that Legion still has to write already take effect before the tracker shows them', () => {
  expect(labelsAfter(['chore', 'worker-active'], owe(1, ['worker-done'], ['worker-active']))).toEqual([
    'chore',
    'worker-done',
  ]);
});

test('labels that a write removes do not reappear through an earlier request while the write is unconfirmed', () => {
  const before = owe(1, ['worker-done'], ['worker-active']);
  expect(labelsAfter(['chore', 'worker-active'], before, ORDER_MOVE)).toEqual(['chore']);
  expect(labelsAfter(['chore'], before, ORDER_MOVE)).toEqual(['chore']);
});

test('labels requested after a write was ordered take precedence over the write', () => {
  expect(labelsAfter(['chore'], owe(1, ['worker-done']), ORDER_MOVE, owe(2, ['worker-active']))).toEqual([
    'chore',
    'worker-active',
  ]);
});
