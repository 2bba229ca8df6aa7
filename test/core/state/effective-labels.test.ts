import { expect, test } from 'vitest';
import type { Event, EventBody } from '../../../src/core/model/event.ts';
import { fold } from '../../../src/core/state/evolve.ts';
import { emptySwarm, type Swarm } from '../../../src/core/state/state.ts';
import type { Label } from '../../../src/domain/label.ts';
import { effectiveLabels } from '../../../src/swarm/effective-labels.ts';

const issue = 'DEMO-1';
const owe = (revision: number, add: Label[], remove: Label[] = []): EventBody => ({
  type: 'labels.owed',
  issue,
  revision,
  add,
  remove,
});

/** Orders what takes a finished phase off the issue and moves it on. */
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

function swarmAfter(...bodies: readonly EventBody[]): Swarm {
  const events = bodies.map((body, index): Event => ({ ...body, seq: index + 1, at: 1, epoch: 1 }));
  return fold(emptySwarm(), events);
}

const labelsAfter = (tracker: readonly string[], ...bodies: readonly EventBody[]) =>
  [...effectiveLabels(tracker, swarmAfter(...bodies), issue)].sort();

test('owed labels count before the tracker shows them', () => {
  expect(labelsAfter(['chore', 'worker-active'], owe(1, ['worker-done'], ['worker-active']))).toEqual([
    'chore',
    'worker-done',
  ]);
});

test('labels owed before a write do not reappear while that write awaits its confirmation', () => {
  const before = owe(1, ['worker-done'], ['worker-active']);
  expect(labelsAfter(['chore', 'worker-active'], before, ORDER_MOVE)).toEqual(['chore']);
  expect(labelsAfter(['chore'], before, ORDER_MOVE)).toEqual(['chore']);
});

test('labels owed after a write was ordered take precedence over it', () => {
  expect(labelsAfter(['chore'], owe(1, ['worker-done']), ORDER_MOVE, owe(2, ['worker-active']))).toEqual([
    'chore',
    'worker-active',
  ]);
});
