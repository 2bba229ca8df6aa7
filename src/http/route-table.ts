/** Which route answers to a method and a path. */
import type { Route } from './route.ts';

export interface TableEntry {
  readonly method: string;
  /** As in `/workers/:id`. */
  readonly path: string;
}

interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export interface RouteTable {
  find(method: string, path: string): Found | undefined;
  /** The methods that would have led somewhere. */
  methodsAt(path: string): readonly string[];
  entries(): readonly TableEntry[];
}

export function routeTable(routes: readonly Route[]): RouteTable {
  // Fixed words before parameters, so that `/workers/prune` is never a worker's id.
  const live = routes
    .map((route) => ({ route, method: route.method.toUpperCase(), form: formOf(route.path) }))
    .toSorted((one, other) => one.form.parameters - other.form.parameters);
  const at = (path: string) => live.filter(({ form }) => form.pattern.test(path));
  return {
    find(method, path) {
      const found = at(path).find((each) => each.method === method);
      if (found === undefined) return undefined;
      const groups = found.form.pattern.exec(path)?.groups ?? {};
      const params = Object.entries(groups).map(([name, text]) => [name, decoded(text)]);
      return { route: found.route, params: Object.fromEntries(params) };
    },
    methodsAt(path) {
      const methods = at(path).map(({ method }) => method);
      return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    },
    entries: () => routes.map(({ method, path }) => ({ method: method.toUpperCase(), path })),
  };
}

function formOf(path: string): { readonly pattern: RegExp; readonly parameters: number } {
  const parameters = path.split(':').length - 1;
  const source = path.replaceAll('.', '\\.').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)');
  return { pattern: new RegExp(`^${source}$`), parameters };
}

/** What cannot be decoded stays as it is, and is no valid id of anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
