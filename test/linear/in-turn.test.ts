import { expect, it } from 'vitest';
import { inTurn } from '../../src/linear/in-turn.ts';

it('who gives up while waiting waits no longer, and its work is not begun', async () => {
  const turn = inTurn();
  const first = Promise.withResolvers<string>();
  const ending = new AbortController();
  const begun: string[] = [];
  const one = turn(() => first.promise);
  const two = turn(async () => begun.push('two'), ending.signal);
  const three = turn(async () => begun.push('three'));
  ending.abort(new Error('enough'));
  await expect(two).rejects.toThrow('enough');
  expect(begun).toEqual([]);
  first.resolve('done');
  expect(await one).toBe('done');
  await three;
  expect(begun).toEqual(['three']);
});

it('work that fails does not stop those behind it', async () => {
  const turn = inTurn();
  const failing = turn(() => Promise.reject(new Error('no')));
  const next = turn(async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
