import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftSwarm } from '../../../src/core/state/draft.ts';
import { fold } from '../../../src/core/state/evolve.ts';
import { toSnapshot } from '../../../src/core/state/snapshot.ts';
import { emptySwarm } from '../../../src/core/state/state.ts';
import { histories, journalOf } from './histories.ts';

test('a draft takes events in as the state itself does, which stays as it was', () => {
  fc.assert(
    fc.property(histories, fc.nat(), fc.nat(), (bodies, cut, secondCut) => {
      const events = journalOf(bodies);
      const at = cut % (events.length + 1);
      const then = at + (secondCut % (events.length - at + 1));
      const swarm = fold(emptySwarm(), events.slice(0, at));
      const before = toSnapshot(swarm);
      const draft = fold(draftSwarm(swarm), events.slice(at, then));
      const draftOfDraft = fold(draftSwarm(draft), events.slice(then));
      expect(toSnapshot(swarm)).toEqual(before);
      expect(toSnapshot(draft)).toEqual(toSnapshot(fold(emptySwarm(), events.slice(0, then))));
      expect(toSnapshot(draftOfDraft)).toEqual(toSnapshot(fold(emptySwarm(), events)));
      expect(draft.workers.size).toBe([...draft.workers.keys()].length);
    }),
    { numRuns: 500 },
  );
});

test('a key that a draft deletes and sets again comes last, as in any map', () => {
  const swarm = emptySwarm();
  for (const name of ['a', 'b', 'c']) swarm.quotas.set(name, { since: 1 });
  const { quotas } = draftSwarm(swarm);
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
  expect([...swarm.quotas.keys()]).toEqual(['a', 'b', 'c']);
});
