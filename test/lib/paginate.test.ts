/** Lists of many pages are read as far as is asked for. */
import { expect, test } from 'vitest';
import { allBackward, allForward, backward, type Page, type PageBackward } from '../../src/lib/paginate.ts';

const ALL = [1, 2, 3, 4, 5, 6, 7];
const PAGE = 3;

async function after(cursor: string | null): Promise<Page<number>> {
  const from = Number(cursor ?? 0);
  const to = from + PAGE;
  return {
    nodes: ALL.slice(from, to),
    pageInfo: { hasNextPage: to < ALL.length, endCursor: String(to) },
  };
}

async function before(cursor: string | null): Promise<PageBackward<number>> {
  const to = Number(cursor ?? ALL.length);
  const from = Math.max(0, to - PAGE);
  return { nodes: ALL.slice(from, to), pageInfo: { hasPreviousPage: from > 0, startCursor: String(from) } };
}

test('from the beginning and from the end it is the same list', async () => {
  expect(await allForward(await after(null), after)).toEqual(ALL);
  expect(await allBackward(before)).toEqual(ALL);
});

test('from the end it is read no further than is enough, and it is said whether that was all', async () => {
  expect(await backward(before, (first) => first <= 4)).toEqual({ all: [2, 3, 4, 5, 6, 7], isWhole: false });
  expect(await backward(before, (first) => first <= 1)).toEqual({ all: ALL, isWhole: true });
});

test.each([null, 'x'])('pages that lead in a circle end with an error (%j)', async (cursor) => {
  const forward = async () => ({ nodes: [1], pageInfo: { hasNextPage: true, endCursor: cursor } });
  const backwards = async () => ({ nodes: [1], pageInfo: { hasPreviousPage: true, startCursor: cursor } });
  const refused = { code: 'input.invalid', message: 'a list has no end: its pages lead in a circle' };
  await expect(allForward(await forward(), forward)).rejects.toMatchObject(refused);
  await expect(allBackward(backwards)).rejects.toMatchObject(refused);
});
