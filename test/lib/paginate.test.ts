/** Tests that a list with many pages is read only as far as needed. */
import { expect, test } from 'vitest';
import {
  type BackwardPage,
  collectBackward,
  collectForward,
  collectFromEnd,
  type ForwardPage,
} from '../../src/lib/paginate.ts';

const ALL = [1, 2, 3, 4, 5, 6, 7];
const PAGE = 3;

async function after(cursor: string | null): Promise<ForwardPage<number>> {
  const from = Number(cursor ?? 0);
  const to = from + PAGE;
  return {
    nodes: ALL.slice(from, to),
    pageInfo: { hasNextPage: to < ALL.length, endCursor: String(to) },
  };
}

async function before(cursor: string | null): Promise<BackwardPage<number>> {
  const to = Number(cursor ?? ALL.length);
  const from = Math.max(0, to - PAGE);
  return { nodes: ALL.slice(from, to), pageInfo: { hasPreviousPage: from > 0, startCursor: String(from) } };
}

test('reading forward and backward returns the same list', async () => {
  expect(await collectForward(await after(null), after)).toEqual(ALL);
  expect(await collectBackward(before)).toEqual(ALL);
});

test('reading backward stops when it has enough entries, and reports whether they are the whole list', async () => {
  expect(await collectFromEnd(before, (first) => first <= 4)).toEqual({
    all: [2, 3, 4, 5, 6, 7],
    isWhole: false,
  });
  expect(await collectFromEnd(before, (first) => first <= 1)).toEqual({ all: ALL, isWhole: true });
});

test.each([null, 'x'])('a missing or repeated cursor is an error (%j)', async (cursor) => {
  const forward = async () => ({ nodes: [1], pageInfo: { hasNextPage: true, endCursor: cursor } });
  const backwards = async () => ({ nodes: [1], pageInfo: { hasPreviousPage: true, startCursor: cursor } });
  const refused = {
    code: 'input.invalid',
    message: 'The list never ends: a page cursor is missing or repeats',
  };
  await expect(collectForward(await forward(), forward)).rejects.toMatchObject(refused);
  await expect(collectBackward(backwards)).rejects.toMatchObject(refused);
});
