/**
 * Rewrites finished responses: replaces a field of a chosen node with any JSON value, even one that
 * the schema forbids.
 */
import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';

export interface FieldRewrite<Node> {
  readonly matches: (node: Node) => boolean;
  /**
   * Path from the node to the field, using the names in the response. `[]` means each entry of a
   * list, as in `labels.nodes[].name`.
   */
  readonly path: string;
  readonly change: (value: unknown) => unknown;
}

/** Paths of the rewritten nodes in one response. */
export class RewrittenPlaces<Node> {
  readonly #rewrites: readonly FieldRewrite<Node>[];
  readonly #places = new Map<FieldRewrite<Node>, Map<string, readonly (string | number)[]>>();

  constructor(rewrites: readonly FieldRewrite<Node>[]) {
    this.#rewrites = rewrites;
  }

  /** Called for each resolved field of each node. */
  note(node: Node, { path }: GraphQLResolveInfo): void {
    for (const rewrite of this.#rewrites) {
      if (!rewrite.matches(node)) continue;
      const place = responsePathAsArray(path.prev);
      const places = this.#places.get(rewrite) ?? new Map();
      this.#places.set(rewrite, places.set(place.join('.'), place));
    }
  }

  apply(data: unknown): void {
    for (const [{ path, change }, places] of this.#places)
      for (const place of places.values()) {
        const node = place.reduce<unknown>((value, key) => getField(value, key), data);
        applyRewrite(node, path.split('.'), change);
      }
  }
}

function applyRewrite(
  value: unknown,
  [step = '', ...rest]: readonly string[],
  change: (value: unknown) => unknown,
  isMade = false,
): void {
  if (typeof value !== 'object' || value === null) return;
  const key = step.replace('[]', '');
  // A field that the request did not select stays absent.
  if (!Object.hasOwn(value, key) && !isMade) return;
  if (rest.length === 0) {
    Object.defineProperty(value, key, {
      value: change(getField(value, key)),
      enumerable: true,
      writable: true,
      configurable: true,
    });
    return;
  }
  // Creates an object in place of null or of a missing value, so that the fields in it can be set.
  const isMissing = isMade || (getField(value, key) === null && !step.endsWith('[]'));
  if (isMissing) Reflect.set(value, key, {});
  const inner = getField(value, key);
  for (const each of Array.isArray(inner) ? inner : [inner]) applyRewrite(each, rest, change, isMissing);
}

function getField(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
