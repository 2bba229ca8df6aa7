/** What the live app answers to, read from the app itself. */
import type { App } from './app.ts';

export interface TableEntry {
  readonly method: string;
  /** As in `/workers/:id`. */
  readonly path: string;
}

/** Guards are registered for `ALL` methods; what is left are routes. */
export function routeTable(app: App): readonly TableEntry[] {
  return app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => ({ method, path }));
}

/** The methods that would have led somewhere. */
export function methodsAt(app: App, path: string): readonly string[] {
  const methods = new Set(routeTable(app).map(({ method }) => method));
  const there = [...methods].filter((method) => {
    const [found] = app.router.match(method, path);
    return found.some(([[, { method: of }]]) => of === method);
  });
  return there.includes('GET') ? [...there, 'HEAD'] : there;
}
