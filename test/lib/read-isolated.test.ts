/**
 * Tests that a rejected item is isolated, and that the other items are read with a limited number
 * of requests.
 */
import { expect, test } from 'vitest';
import { LegionError } from '../../src/core/model/fault.ts';
import { readIsolated } from '../../src/lib/read-isolated.ts';

const REFUSED = new LegionError('github.refused', 'one of these');

/** Reads `count` items. Every batch that contains one of `bad` is rejected. */
async function readAll(count: number, bad: readonly number[], batch = 100) {
  const items = Array.from({ length: count }, (_, index) => index);
  const read: number[] = [];
  const refused: number[] = [];
  let requests = 0;
  await readIsolated({
    items,
    batch,
    read: async (some) => {
      requests += 1;
      if (some.some((each) => bad.includes(each))) throw REFUSED;
      read.push(...some);
    },
    refuse: (item) => refused.push(item),
  });
  return { read, refused, requests };
}

test('sends no request if there is nothing to read', async () => {
  expect(await readAll(0, [])).toEqual({ read: [], refused: [], requests: 0 });
});

test.each([0, 1, 49, 50, 99])(
  'finds the rejected item %i of a hundred with at most 15 requests',
  async (bad) => {
    const { read, refused, requests } = await readAll(100, [bad]);
    expect(refused).toEqual([bad]);
    expect(read).toHaveLength(99);
    expect(requests).toBeLessThanOrEqual(15);
  },
);

test('finds several rejected items in several batches, reports each once and keeps the order', async () => {
  const { read, refused } = await readAll(250, [3, 180]);
  expect(refused).toEqual([3, 180]);
  expect(read).toEqual(read.toSorted((a, b) => a - b));
  expect(read).toHaveLength(248);
});

test('if all items are rejected, reports each of them with a limited number of requests', async () => {
  const all = Array.from({ length: 500 }, (_, index) => index);
  const { read, refused, requests } = await readAll(500, all);
  expect(read).toEqual([]);
  expect(refused).toEqual(all);
  expect(requests).toBeLessThanOrEqual(35);
});

test.each(['github.unavailable', 'github.rate_limited', 'github.unauthorized'] as const)(
  'rejects the whole read immediately on %s, because that fault affects every item',
  async (code) => {
    let requests = 0;
    const reading = readIsolated({
      items: [1, 2, 3],
      batch: 3,
      read: async () => {
        requests += 1;
        throw new LegionError(code, 'not now');
      },
      refuse: () => expect.unreachable(),
    });
    await expect(reading).rejects.toMatchObject({ code });
    expect(requests).toBe(1);
  },
);

test('rejects on a temporary error and on an outage, but isolates an item whose error persists', async () => {
  const items = Array.from({ length: 40 }, (_, index) => index);
  const away = new LegionError('github.unavailable', 'Something went wrong');
  const readSome = async (bad: (item: number) => boolean, isPersistent: boolean) => {
    const refused: number[] = [];
    const read = async (some: readonly number[]) => {
      if (some.some(bad)) throw away;
    };
    await readIsolated({ items, batch: 100, read, isPersistent, refuse: (item) => refused.push(item) });
    return refused;
  };
  await expect(readSome((item) => item === 7, false)).rejects.toBe(away);
  expect(await readSome((item) => item === 7, true)).toEqual([7]);
  await expect(readSome(() => true, true)).rejects.toBe(away);
});
