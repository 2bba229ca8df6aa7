/** What waits to be handed on: once each, bounded, and held up by nobody. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Notice } from '../../../src/envoy/envoy.ts';
import {
  type Addressed,
  HAND_ON_MS,
  NOTICES_MOST,
  openPending,
  type Pending,
  WAKE_UPS_MOST,
} from '../../../src/envoy/pending.ts';
import type { WakeUp } from '../../../src/envoy/receiver.ts';
import { settled, VirtualClock } from '../../support/virtual-clock.ts';

let clock: VirtualClock;
let woken: (readonly WakeUp[])[];
let published: string[];
let troubles: unknown[];
let held: (() => Promise<void>) | undefined;
let pending: Pending;
beforeEach(() => {
  clock = new VirtualClock();
  woken = [];
  published = [];
  troubles = [];
  held = undefined;
  pending = openPending({
    clock,
    wake(wakeUps) {
      woken.push(wakeUps);
      return held?.();
    },
    envoy: {
      async publish(topic: string, _: Notice) {
        if (topic === 'bad') throw new Error('no such topic');
        published.push(topic);
      },
    },
    onTrouble: (error) => troubles.push(error),
  });
});
afterEach(() => pending.close());

const issue = (number: number, owner = 'acme'): WakeUp => ({ issue: { owner, repo: 'shop', number } });
const notice = (topic: string): Addressed => ({ topic, notice: { text: topic, data: {} } });

test('nothing happens before the next turn of the event loop', async () => {
  pending.add([issue(1)], [notice('a')]);
  await Promise.resolve();
  expect([woken, published]).toEqual([[], []]);
  await settled();
  await settled();
  expect([woken, published]).toEqual([[[issue(1)]], ['a']]);
});

test('the same thing is handed on once, whatever the capitals of its owner', async () => {
  pending.add([issue(1), issue(2)], []);
  pending.add([issue(1, 'Acme'), issue(1)], []);
  await settled();
  await settled();
  expect(woken).toEqual([[issue(1), issue(2)]]);
});

test('two words about one commit become one that knows both', async () => {
  const commit = (branches: string[], pullRequests: number[]): WakeUp => ({
    commit: { owner: 'acme', repo: 'shop', sha: 'a'.repeat(40), branches, pullRequests },
  });
  pending.add([commit(['x'], [1]), commit(['x', 'y'], [2])], []);
  await settled();
  await settled();
  expect(woken).toEqual([[commit(['x', 'y'], [1, 2])]]);
});

test('what comes while somebody is at it waits, together, for the next time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = () => promise;
  pending.add([issue(1)], []);
  await settled();
  await settled();
  pending.add([issue(2)], []);
  pending.add([issue(3), issue(1)], []);
  await settled();
  expect(woken).toEqual([[issue(1)]]);
  resolve();
  await settled();
  await settled();
  expect(woken).toEqual([[issue(1)], [issue(2), issue(3), issue(1)]]);
});

test('too many different things become one look at everything', async () => {
  pending.add(
    Array.from({ length: WAKE_UPS_MOST }, (_, index) => issue(index)),
    [],
  );
  pending.add([issue(0)], []);
  await settled();
  await settled();
  expect(woken[0]).toHaveLength(WAKE_UPS_MOST);
  pending.add(
    Array.from({ length: WAKE_UPS_MOST + 5 }, (_, index) => issue(index)),
    [],
  );
  await settled();
  await settled();
  expect(woken[1]).toEqual(['everything']);
});

test('everything covers what is named beside it', async () => {
  pending.add([issue(1), 'everything', issue(2)], []);
  await settled();
  await settled();
  expect(woken).toEqual([['everything']]);
});

test('too many notices lose the oldest, which is told', async () => {
  pending.add(
    [],
    Array.from({ length: NOTICES_MOST + 2 }, (_, index) => notice(`n${index}`)),
  );
  await settled();
  await settled();
  expect(published).toHaveLength(NOTICES_MOST);
  expect(published[0]).toBe('n2');
  expect(troubles).toHaveLength(1);
});

test('whoever never comes back holds up the rest for a bounded time', async () => {
  held = () => new Promise(() => undefined);
  pending.add([issue(1)], []);
  await settled();
  await settled();
  pending.add([issue(2)], []);
  await clock.advance(HAND_ON_MS - 1);
  expect(woken).toHaveLength(1);
  await clock.advance(1);
  await settled();
  expect(woken).toEqual([[issue(1)], [issue(2)]]);
  expect(troubles.map(String)).toEqual(['Error: handing on wake-ups took more than 60 s']);
});

test('a wake-up that fails and a notice nobody takes are told, and the rest goes on', async () => {
  held = () => Promise.reject(new Error('the tracker is away'));
  pending.add([issue(1)], [notice('bad'), notice('good')]);
  await settled();
  await settled();
  held = undefined;
  pending.add([issue(2)], []);
  await settled();
  await settled();
  expect(troubles.map(String).toSorted()).toEqual(['Error: no such topic', 'Error: the tracker is away']);
  expect(published).toEqual(['good']);
  expect(woken).toEqual([[issue(1)], [issue(2)]]);
});

test('after closing nothing is handed on, and nobody sleeps', async () => {
  pending.add([issue(1)], [notice('a')]);
  pending.close();
  pending.add([issue(2)], []);
  await settled();
  await settled();
  expect([woken, published, clock.nextIn]).toEqual([[], [], undefined]);
});
