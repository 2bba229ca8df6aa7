/** Tests that queued wake-ups and notices are deduplicated, bounded and never blocked for long. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type AddressedNotice,
  HANDOVER_TIMEOUT_MS,
  MAX_NOTICES,
  MAX_WAKE_UPS,
  openPendingQueue,
  type PendingQueue,
} from '../../../src/integrations/webhook-support/pending.ts';
import type { Notice } from '../../../src/ports/messaging.ts';
import type { WakeUp } from '../../../src/ports/webhooks.ts';
import { settled, VirtualClock } from '../../support/virtual-clock.ts';

let clock: VirtualClock;
let woken: (readonly WakeUp[])[];
let published: string[];
let errors: unknown[];
let held: (() => Promise<void>) | undefined;
let pending: PendingQueue;
beforeEach(() => {
  clock = new VirtualClock();
  woken = [];
  published = [];
  errors = [];
  held = undefined;
  pending = openPendingQueue({
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
    onError: (error) => errors.push(error),
  });
});
afterEach(() => pending.close());

const issue = (number: number, owner = 'acme'): WakeUp => ({ issue: { owner, repo: 'shop', number } });
const notice = (topic: string): AddressedNotice => ({ topic, notice: { text: topic, data: {} } });

test('does nothing before the next turn of the event loop', async () => {
  pending.add([issue(1)], [notice('a')]);
  await Promise.resolve();
  expect([woken, published]).toEqual([[], []]);
  await settled();
  await settled();
  expect([woken, published]).toEqual([[[issue(1)]], ['a']]);
});

test('passes on a repeated wake-up only once, ignoring case in the owner’s name', async () => {
  pending.add([issue(1), issue(2)], []);
  pending.add([issue(1, 'Acme'), issue(1)], []);
  await settled();
  await settled();
  expect(woken).toEqual([[issue(1), issue(2)]]);
});

test('merges two wake-ups for one commit', async () => {
  const commit = (branches: string[], pullRequests: number[]): WakeUp => ({
    commit: { owner: 'acme', repo: 'shop', sha: 'a'.repeat(40), branches, pullRequests },
  });
  pending.add([commit(['x'], [1]), commit(['x', 'y'], [2])], []);
  await settled();
  await settled();
  expect(woken).toEqual([[commit(['x', 'y'], [1, 2])]]);
});

test('collects wake-ups that arrive while a handler is running, and passes them to the next call', async () => {
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

test('if there are too many wake-ups, replaces them with a single one for everything', async () => {
  pending.add(
    Array.from({ length: MAX_WAKE_UPS }, (_, index) => issue(index)),
    [],
  );
  pending.add([issue(0)], []);
  await settled();
  await settled();
  expect(woken[0]).toHaveLength(MAX_WAKE_UPS);
  pending.add(
    Array.from({ length: MAX_WAKE_UPS + 5 }, (_, index) => issue(index)),
    [],
  );
  await settled();
  await settled();
  expect(woken[1]).toEqual(['everything']);
});

test('drops all other wake-ups if one of them is for everything', async () => {
  pending.add([issue(1), 'everything', issue(2)], []);
  await settled();
  await settled();
  expect(woken).toEqual([['everything']]);
});

test('if there are too many notices, drops and reports the oldest', async () => {
  pending.add(
    [],
    Array.from({ length: MAX_NOTICES + 2 }, (_, index) => notice(`n${index}`)),
  );
  await settled();
  await settled();
  expect(published).toHaveLength(MAX_NOTICES);
  expect(published[0]).toBe('n2');
  expect(errors).toHaveLength(1);
});

test('waits only a limited time for a handler that hangs', async () => {
  held = () => new Promise(() => undefined);
  pending.add([issue(1)], []);
  await settled();
  await settled();
  pending.add([issue(2)], []);
  await clock.advance(HANDOVER_TIMEOUT_MS - 1);
  expect(woken).toHaveLength(1);
  await clock.advance(1);
  await settled();
  expect(woken).toEqual([[issue(1)], [issue(2)]]);
  expect(errors.map(String)).toEqual(['Error: Processing wake-ups took more than 60 s']);
});

test('reports a failed wake-up and a rejected notice, and continues', async () => {
  held = () => Promise.reject(new Error('the tracker is unavailable'));
  pending.add([issue(1)], [notice('bad'), notice('good')]);
  await settled();
  await settled();
  held = undefined;
  pending.add([issue(2)], []);
  await settled();
  await settled();
  expect(errors.map(String).toSorted()).toEqual([
    'Error: no such topic',
    'Error: the tracker is unavailable',
  ]);
  expect(published).toEqual(['good']);
  expect(woken).toEqual([[issue(1)], [issue(2)]]);
});

test('processes nothing and leaves no timer after closing', async () => {
  pending.add([issue(1)], [notice('a')]);
  pending.close();
  pending.add([issue(2)], []);
  await settled();
  await settled();
  expect([woken, published, clock.nextIn]).toEqual([[], [], undefined]);
});
