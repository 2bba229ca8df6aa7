/** Rewrites finished answers: a field of a chosen node gets any JSON value, also one that the schema does not allow. */
import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';

export interface Rewrite<Node> {
  readonly matches: (node: Node) => boolean;
  /** From the node to the field, by the names in the answer; `[]` means each entry of a list, as in `labels.nodes[].name`. */
  readonly path: string;
  readonly change: (value: unknown) => unknown;
}

/** The places in one answer where the nodes of each rewrite stand. */
export class RewrittenPlaces<Node> {
  readonly #rewrites: readonly Rewrite<Node>[];
  readonly #places = new Map<Rewrite<Node>, Map<string, readonly (string | number)[]>>();

  constructor(rewrites: readonly Rewrite<Node>[]) {
    this.#rewrites = rewrites;
  }

  /** Called for each field of each node that is resolved. */
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
        const node = place.reduce<unknown>((value, key) => fieldOf(value, key), data);
        rewriteWithin(node, path.split('.'), change);
      }
  }
}

function rewriteWithin(
  value: unknown,
  [step = '', ...rest]: readonly string[],
  change: (value: unknown) => unknown,
  isMade = false,
): void {
  if (typeof value !== 'object' || value === null) return;
  const key = step.replace('[]', '');
  // A field that was not asked for in this request stays absent.
  if (!Object.hasOwn(value, key) && !isMade) return;
  if (rest.length === 0) {
    Object.defineProperty(value, key, {
      value: change(fieldOf(value, key)),
      enumerable: true,
      writable: true,
      configurable: true,
    });
    return;
  }
  // An object that is not there is made, so that its fields can have a value.
  const isMissing = isMade || (fieldOf(value, key) === null && !step.endsWith('[]'));
  if (isMissing) Reflect.set(value, key, {});
  const inner = fieldOf(value, key);
  for (const each of Array.isArray(inner) ? inner : [inner]) rewriteWithin(each, rest, change, isMissing);
}

function fieldOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
