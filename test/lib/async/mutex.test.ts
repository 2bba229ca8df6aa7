/** Whoever has to wait for others waits in the order of asking. */
import { expect, test } from 'vitest';
import { inTurn } from '../../../src/lib/async/mutex.ts';

test('one begins when the one before has ended, however that was', async () => {
  const turn = inTurn();
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

test('who gives up while waiting hears it at once, and its work is not begun', async () => {
  const turn = inTurn();
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

function controller() {
  const made = new AbortController();
  return { signal: made.signal, abort: () => made.abort(new Error('given up')) };
}
