/** Tests that a mutex runs one piece of work at a time, in order. */
import { expect, test } from 'vitest';
import { createKeyedMutex, createMutex } from '../../../src/lib/async/mutex.ts';

test('each piece of work starts when the previous one has succeeded or failed', async () => {
  const turn = createMutex();
  const seen: string[] = [];
  const first = turn(async () => {
    seen.push('first begins');
    await Promise.resolve();
    seen.push('first ends');
    throw new Error('broken');
  });
  const second = turn(async () => seen.push('second'));
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(seen).toEqual(['first begins', 'first ends', 'second']);
});

test('aborting a waiter immediately rejects its promise, and its work never starts', async () => {
  const turn = createMutex();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { signal, abort } = controller();
  const first = turn(() => promise);
  let isBegun = false;
  const second = turn(async () => {
    isBegun = true;
  }, signal);
  abort();
  await expect(second).rejects.toThrow('given up');
  resolve();
  await first;
  expect(await turn(async () => isBegun)).toBe(false);
});

test('a keyed mutex serialises only work with the same key', async () => {
  const mutex = createKeyedMutex();
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const first = mutex('a', () => promise.then(() => seen.push('a1')));
  const second = mutex('a', async () => seen.push('a2'));
  await mutex('b', async () => seen.push('b1'));
  resolve();
  await Promise.all([first, second]);
  expect(seen).toEqual(['b1', 'a1', 'a2']);
});

test('a keyed mutex continues after a failure', async () => {
  const mutex = createKeyedMutex();
  const failed = mutex('a', () => Promise.reject(new Error('broken')));
  const next = mutex('a', async () => 'done');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

function controller() {
  const made = new AbortController();
  return { signal: made.signal, abort: () => made.abort(new Error('given up')) };
}
