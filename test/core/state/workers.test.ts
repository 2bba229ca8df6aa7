import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import { createDraftState } from '../../../src/core/state/draft.ts';
import { evolve, foldEvents } from '../../../src/core/state/evolve.ts';
import { fromSnapshot, toSnapshot } from '../../../src/core/state/snapshot.ts';
import { createLegionState, type LegionState } from '../../../src/core/state/state.ts';
import { listIssueWorkers } from '../../../src/core/state/workers.ts';

const dispatched = (seq: number, issue: string, mode: Mode, attempt = 1): Event => ({
  seq,
  at: seq,
  epoch: 0,
  type: 'attempt.dispatched',
  issue,
  mode,
  attempt,
  session: `${issue} ${mode}`,
  version: 0,
  host: 'here',
});

const stopped = (seq: number, issue: string, mode: Mode): Event => ({
  seq,
  at: seq,
  epoch: 0,
  type: 'attempt.stopped',
  issue,
  mode,
  attempt: 1,
  why: 'a person said so',
});

const modesOf = (state: LegionState, issue: string) =>
  listIssueWorkers(state, issue).map(({ mode, attempt }) => `${mode} ${attempt}`);

function threeWorkers(): LegionState {
  return foldEvents(createLegionState(), [
    dispatched(1, 'Acme-1', 'test'),
    dispatched(2, 'Acme-1', 'plan'),
    dispatched(3, 'Acme-2', 'plan'),
  ]);
}

test('listIssueWorkers returns the workers of an issue in the order of their phases', () => {
  expect(modesOf(threeWorkers(), 'Acme-1')).toEqual(['plan 1', 'test 1']);
  expect(modesOf(threeWorkers(), 'Acme-3')).toEqual([]);
});

test('listIssueWorkers ignores the case of the issue id', () => {
  expect(modesOf(threeWorkers(), 'ACME-1')).toEqual(['plan 1', 'test 1']);
});

test('listIssueWorkers returns the current attempt of each worker', () => {
  const state = threeWorkers();
  evolve(state, stopped(4, 'Acme-1', 'plan'));
  evolve(state, dispatched(5, 'Acme-1', 'plan', 2));
  expect(modesOf(state, 'Acme-1')).toEqual(['plan 2', 'test 1']);
});

test('a state restored from a snapshot has the workers of each issue', () => {
  const read = fromSnapshot(toSnapshot(threeWorkers()));
  expect(read && modesOf(read, 'Acme-1')).toEqual(['plan 1', 'test 1']);
});

test('a worker added to a draft is not in the original state', () => {
  const state = threeWorkers();
  const draft = createDraftState(state);
  evolve(draft, dispatched(4, 'Acme-2', 'review'));
  expect(modesOf(draft, 'Acme-2')).toEqual(['plan 1', 'review 1']);
  expect(modesOf(state, 'Acme-2')).toEqual(['plan 1']);
});
