import { describe, expect, it } from 'vitest';
import { openLanes } from '../../../../src/github/lanes.ts';
import { systemClock } from '../../../../src/lib/async/system-clock.ts';

const open = (writeSpacingMs = 0) =>
  openLanes({ clock: systemClock, writeSpacingMs, closing: new AbortController().signal });
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to, and tells how much of it there was at once. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let inside = 0;
  let most = 0;
  return {
    begun,
    most: () => most,
    end: async (name: string) => {
      ends.get(name)?.();
      await turn();
    },
    work: (name: string) => async () => {
      begun.push(name);
      inside += 1;
      most = Math.max(most, inside);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      inside -= 1;
      return name;
    },
  };
}

describe('writes', () => {
  it('go out one after another, in the order of asking, also after one failed', async () => {
    const lanes = open();
    const { work, begun, end, most } = works();
    const failing = lanes.write(() => Promise.reject(new Error('no')), undefined);
    const all = ['a', 'b', 'c'].map((name) => lanes.write(work(name), undefined));
    await expect(failing).rejects.toThrow('no');
    await turn();
    expect(begun).toEqual(['a']);
    for (const name of ['a', 'b', 'c']) await end(name);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
    expect([begun, most()]).toEqual([['a', 'b', 'c'], 1]);
  });

  it('are apart by what was asked for, from one beginning to the next', async () => {
    const lanes = open(60);
    const began: number[] = [];
    const write = () => lanes.write(async () => began.push(performance.now()), undefined);
    await Promise.all([write(), write(), write()]);
    expect((began[1] ?? 0) - (began[0] ?? 0)).toBeGreaterThanOrEqual(58);
    expect((began[2] ?? 0) - (began[1] ?? 0)).toBeGreaterThanOrEqual(58);
  });

  it('leave the queue when they are given up, and leave no timer', async () => {
    const lanes = open(60_000);
    const { work, begun, end } = works();
    const first = lanes.write(work('a'), undefined);
    const ending = new AbortController();
    const queued = lanes.write(work('b'), ending.signal);
    const reason = new Error('given up');
    const left = expect(queued).rejects.toBe(reason);
    ending.abort(reason);
    await left;
    await turn();
    await end('a');
    await first;

    const spacing = new AbortController();
    const spaced = expect(lanes.write(work('c'), spacing.signal)).rejects.toBe(reason);
    await turn();
    spacing.abort(reason);
    await spaced;
    expect(begun).toEqual(['a']);
  });

  it('go on behind one that was given up', async () => {
    const lanes = open();
    const { work, end } = works();
    const first = lanes.write(work('a'), undefined);
    const ending = new AbortController();
    const left = expect(lanes.write(work('b'), ending.signal)).rejects.toThrow('given up');
    const behind = lanes.write(async () => 'written', undefined);
    await turn();
    ending.abort(new Error('given up'));
    await left;
    await end('a');
    expect([await first, await behind]).toEqual(['a', 'written']);
  });

  it('do not wait for reads', async () => {
    const lanes = open();
    const { work, end } = works();
    const reads = ['1', '2', '3', '4'].map((name) => lanes.read(work(name), undefined));
    expect(await lanes.write(async () => 'written', undefined)).toBe('written');
    for (const name of ['1', '2', '3', '4']) await end(name);
    await Promise.all(reads);
  });
});

describe('reads', () => {
  it('are four at once, and all of them come to an end', async () => {
    const lanes = open();
    const { work, begun, end, most } = works();
    const names = Array.from({ length: 20 }, (_, index) => `${index}`);
    const all = Promise.all(names.map((name) => lanes.read(work(name), undefined)));
    await turn();
    expect(begun).toHaveLength(4);
    for (const name of names) await end(name);
    expect(await all).toEqual(names);
    expect(most()).toBe(4);
  });
});
