/** Goes through the pages of a list that GitHub gives from its end. */

export interface PageBackward<T> {
  readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string | null };
  readonly nodes: readonly T[];
}

/** All of it, in its own order; `ask` gives the page before a cursor, the last one for null. */
export async function allBackward<T>(
  ask: (before: string | null) => Promise<PageBackward<T>>,
): Promise<readonly T[]> {
  let all: readonly T[] = [];
  let before: string | null = null;
  for (;;) {
    const page: PageBackward<T> = await ask(before);
    all = [...page.nodes, ...all];
    if (!page.pageInfo.hasPreviousPage) return all;
    before = page.pageInfo.startCursor;
  }
}
