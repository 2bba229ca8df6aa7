import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { draftSwarm } from '../../../src/core/state/draft.ts';
import { evolve, fold } from '../../../src/core/state/evolve.ts';
import { fromSnapshot, toSnapshot } from '../../../src/core/state/snapshot.ts';
import { emptySwarm, type Swarm } from '../../../src/core/state/state.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import { workersOf } from '../../../src/swarm/workers.ts';

const dispatched = (seq: number, issue: string, mode: Mode, attempt = 1): Event => ({
  ...{ seq, at: seq, epoch: 0, type: 'attempt.dispatched', issue, mode, attempt },
  ...{ session: `${issue} ${mode}`, version: 0, host: 'here' },
});

const stopped = (seq: number, issue: string, mode: Mode): Event => ({
  ...{ seq, at: seq, epoch: 0, type: 'attempt.stopped', issue, mode, attempt: 1, why: 'a person said so' },
});

const modesOf = (swarm: Swarm, issue: string) =>
  workersOf(swarm, issue).map(({ mode, attempt }) => `${mode} ${attempt}`);

function threeWorkers(): Swarm {
  return fold(emptySwarm(), [
    dispatched(1, 'Acme-1', 'test'),
    dispatched(2, 'Acme-1', 'plan'),
    dispatched(3, 'Acme-2', 'plan'),
  ]);
}

test('workersOf lists the workers of one issue in the order of their work', () => {
  expect(modesOf(threeWorkers(), 'Acme-1')).toEqual(['plan 1', 'test 1']);
  expect(modesOf(threeWorkers(), 'Acme-3')).toEqual([]);
});

test('workersOf finds the workers of an issue whose id is spelled in another case', () => {
  expect(modesOf(threeWorkers(), 'ACME-1')).toEqual(['plan 1', 'test 1']);
});

test('workersOf shows the current attempt of each worker', () => {
  const swarm = threeWorkers();
  evolve(swarm, stopped(4, 'Acme-1', 'plan'));
  evolve(swarm, dispatched(5, 'Acme-1', 'plan', 2));
  expect(modesOf(swarm, 'Acme-1')).toEqual(['plan 2', 'test 1']);
});

test('a state read from a snapshot has the workers of each issue', () => {
  const read = fromSnapshot(toSnapshot(threeWorkers()));
  expect(read && modesOf(read, 'Acme-1')).toEqual(['plan 1', 'test 1']);
});

test('a worker added to a draft is not in the state it was made from', () => {
  const swarm = threeWorkers();
  const draft = draftSwarm(swarm);
  evolve(draft, dispatched(4, 'Acme-2', 'review'));
  expect(modesOf(draft, 'Acme-2')).toEqual(['plan 1', 'review 1']);
  expect(modesOf(swarm, 'Acme-2')).toEqual(['plan 1']);
});
