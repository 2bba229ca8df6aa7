/** Goes through the pages of a list that a service gives from its beginning or from its end. */
import { LegionError } from '../core/model/fault.ts';

export interface Page<T> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly T[];
}

export interface PageBackward<T> {
  readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string | null };
  readonly nodes: readonly T[];
}

/** All of it; `ask` gives the page after a cursor. `first` may have come with something else. */
export async function allForward<T>(
  first: Page<T>,
  ask: (after: string | null) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const all = [...first.nodes];
  const checked = cursorCheck();
  for (let page = first; page.pageInfo.hasNextPage; ) {
    page = await ask(checked(page.pageInfo.endCursor));
    all.push(...page.nodes);
  }
  return all;
}

/** The same; `ask` gives the first page for null. */
export async function everyPage<T>(ask: (after: string | null) => Promise<Page<T>>): Promise<readonly T[]> {
  return allForward(await ask(null), ask);
}

/** All of it, in its own order; `ask` gives the page before a cursor, the last one for null. */
export async function allBackward<T>(
  ask: (before: string | null) => Promise<PageBackward<T>>,
): Promise<readonly T[]> {
  return (await backward(ask, () => false)).all;
}

/** As much of the end as `isEnough` of the first so far leaves over; `isWhole` where that is all of it. */
export async function backward<T>(
  ask: (before: string | null) => Promise<PageBackward<T>>,
  isEnough: (first: T) => boolean,
): Promise<{ readonly all: readonly T[]; readonly isWhole: boolean }> {
  let all: readonly T[] = [];
  let before: string | null = null;
  const checked = cursorCheck();
  for (;;) {
    const page: PageBackward<T> = await ask(before);
    all = [...page.nodes, ...all];
    if (!page.pageInfo.hasPreviousPage) return { all, isWhole: true };
    const [first] = all;
    if (first !== undefined && isEnough(first)) return { all, isWhole: false };
    before = checked(page.pageInfo.startCursor);
  }
}

/** Far more pages than a list of a service has. */
const MAX_PAGES = 10_000;

/** Checks each cursor of one list, and rejects where one is missing or comes again: the pages then lead in a circle. */
export function cursorCheck(): (cursor: string | null) => string {
  const seen = new Set<string>();
  return (cursor) => {
    if (cursor === null || seen.has(cursor) || seen.size >= MAX_PAGES)
      throw new LegionError('input.invalid', 'a list has no end: its pages lead in a circle');
    seen.add(cursor);
    return cursor;
  };
}
