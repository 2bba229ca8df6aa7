/** Finds the page of a path. Pure. */

export interface Matched<R> {
  readonly route: R;
  readonly parts: Readonly<Record<string, string>>;
}

/** The first route whose pattern fits; `:name` stands for one part of the path. */
export function match<R extends { readonly pattern: string }>(
  routes: readonly R[],
  path: string,
): Matched<R> | undefined {
  for (const route of routes) {
    const parts = partsOf(route.pattern, path);
    if (parts !== undefined) return { route, parts };
  }
  return undefined;
}

function partsOf(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [index, want] of wanted.entries()) {
    const have = given[index] ?? '';
    if (!want.startsWith(':')) {
      if (want !== have) return undefined;
    } else {
      const value = decoded(have);
      if (value === undefined || value === '') return undefined;
      parts[want.slice(1)] = value;
    }
  }
  return parts;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // no address of ours is written like that
  }
}
