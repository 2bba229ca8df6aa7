/** Reads all pages of a list, forward or backward. */
import { LegionError } from '../core/model/fault.ts';

export interface ForwardPage<T> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly T[];
}

export interface BackwardPage<T> {
  readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string | null };
  readonly nodes: readonly T[];
}

/**
 * Returns all items of the list. `first` is the first page, which may come from another request.
 * `readPage` returns the page after a cursor.
 */
export async function collectForward<T>(
  first: ForwardPage<T>,
  readPage: (after: string | null) => Promise<ForwardPage<T>>,
): Promise<readonly T[]> {
  const all = [...first.nodes];
  const checkCursor = createCursorCheck();
  for (let page = first; page.pageInfo.hasNextPage; ) {
    page = await readPage(checkCursor(page.pageInfo.endCursor));
    all.push(...page.nodes);
  }
  return all;
}

/**
 * Like `collectForward`, but also reads the first page with `readPage`, by passing null as the
 * cursor.
 */
export async function collectPages<T>(
  readPage: (after: string | null) => Promise<ForwardPage<T>>,
): Promise<readonly T[]> {
  return collectForward(await readPage(null), readPage);
}

/**
 * Returns all items in order. `readPage` returns the page before a cursor, or the last page if the
 * cursor is null.
 */
export async function collectBackward<T>(
  readPage: (before: string | null) => Promise<BackwardPage<T>>,
): Promise<readonly T[]> {
  return (await collectFromEnd(readPage, () => false)).all;
}

/**
 * Reads backward until `isEnough` accepts the earliest item that has been read. `isWhole` tells
 * whether the items are the whole list.
 */
export async function collectFromEnd<T>(
  readPage: (before: string | null) => Promise<BackwardPage<T>>,
  isEnough: (first: T) => boolean,
): Promise<{ readonly all: readonly T[]; readonly isWhole: boolean }> {
  let all: readonly T[] = [];
  let before: string | null = null;
  const checkCursor = createCursorCheck();
  for (;;) {
    const page: BackwardPage<T> = await readPage(before);
    all = [...page.nodes, ...all];
    if (!page.pageInfo.hasPreviousPage) return { all, isWhole: true };
    const [first] = all;
    if (first !== undefined && isEnough(first)) return { all, isWhole: false };
    before = checkCursor(page.pageInfo.startCursor);
  }
}

/** Far more pages than any real list has. */
const MAX_PAGES = 10_000;

/**
 * Checks each cursor of one list. Throws if a cursor is missing, or if it repeats, because the
 * pages then form a cycle.
 */
export function createCursorCheck(): (cursor: string | null) => string {
  const seen = new Set<string>();
  return (cursor) => {
    if (cursor === null || seen.has(cursor) || seen.size >= MAX_PAGES)
      throw new LegionError('input.invalid', 'The list never ends: a page cursor is missing or repeats');
    seen.add(cursor);
    return cursor;
  };
}
