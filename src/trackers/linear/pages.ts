/** Goes through the pages of a list that Linear gives. */

export interface Page<T> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly T[];
}

/** All of it; `ask` gives the page after a cursor, the first one for null. */
export async function everyPage<T>(ask: (after: string | null) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let after: string | null = null; ; ) {
    const page: Page<T> = await ask(after);
    all.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return all;
    after = page.pageInfo.endCursor;
  }
}
