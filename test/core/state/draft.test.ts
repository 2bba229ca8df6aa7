import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDraftState } from '../../../src/core/state/draft.ts';
import { foldEvents } from '../../../src/core/state/evolve.ts';
import { toSnapshot } from '../../../src/core/state/snapshot.ts';
import { createLegionState } from '../../../src/core/state/state.ts';
import { histories, journalOf } from './histories.ts';

test('a draft applies events in the same way as the state, but leaves the original state unchanged', () => {
  fc.assert(
    fc.property(histories, fc.nat(), fc.nat(), (bodies, cut, secondCut) => {
      const events = journalOf(bodies);
      const at = cut % (events.length + 1);
      const then = at + (secondCut % (events.length - at + 1));
      const state = foldEvents(createLegionState(), events.slice(0, at));
      const before = toSnapshot(state);
      const draft = foldEvents(createDraftState(state), events.slice(at, then));
      const draftOfDraft = foldEvents(createDraftState(draft), events.slice(then));
      expect(toSnapshot(state)).toEqual(before);
      expect(toSnapshot(draft)).toEqual(toSnapshot(foldEvents(createLegionState(), events.slice(0, then))));
      expect(toSnapshot(draftOfDraft)).toEqual(toSnapshot(foldEvents(createLegionState(), events)));
      expect(draft.workers.size).toBe([...draft.workers.keys()].length);
    }),
    { numRuns: 500 },
  );
});

test('a key that is deleted and set again in a draft comes last in iteration, as in any map', () => {
  const state = createLegionState();
  for (const name of ['a', 'b', 'c']) state.quotas.set(name, { since: 1 });
  const { quotas } = createDraftState(state);
  quotas.delete('a');
  quotas.delete('b');
  quotas.set('d', { since: 2 });
  quotas.set('a', { since: 3 });
  quotas.set('c', { since: 4 });
  expect([...quotas]).toEqual([
    ['c', { since: 4 }],
    ['d', { since: 2 }],
    ['a', { since: 3 }],
  ]);
  const seen: string[] = [];
  quotas.forEach((_, key) => {
    seen.push(key);
  });
  expect(seen).toEqual(['c', 'd', 'a']);
  expect([quotas.size, quotas.has('b'), quotas.get('b'), quotas.delete('b')]).toEqual([
    3,
    false,
    undefined,
    false,
  ]);
  expect([...state.quotas.keys()]).toEqual(['a', 'b', 'c']);
});
