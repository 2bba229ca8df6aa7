/** Turns a parsed YAML document into plain data, within bounds that no anchor, nesting or key can leave. */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  visit,
} from 'yaml';
import { shown } from '../../core/model/fault.ts';

/** A large configuration has some hundred values; aliases count as often as they are used. */
const MOST_VALUES = 10_000;

/** The deepest key of ours is on the fourth level. */
const MOST_LEVELS = 32;

export interface PlainData {
  readonly value: unknown;
  /** By path as JSON. An alias stands where it is used, not where its anchor is. */
  readonly offsets: ReadonlyMap<string, { readonly key: number; readonly value: number }>;
  readonly refused: readonly Refused[];
}

interface Refused {
  readonly offset: number;
  readonly says: string;
  /** Where the same key stood before. */
  readonly earlier?: number;
}

export function toPlainData(document: Document.Parsed): PlainData {
  const offsets = new Map<string, { key: number; value: number }>();
  const refused: Refused[] = [];
  const targets = aliasTargets(document);
  let values = 0;

  /** Without a value after a refusal that makes all further ones pointless. */
  function convert(
    node: Node | null,
    path: readonly PropertyKey[],
    key: number | undefined,
    level: number,
  ): unknown {
    const offset = offsetOf(node) ?? key ?? 0;
    offsets.set(JSON.stringify(path), { key: key ?? offset, value: offset });
    values += 1;
    if (values > MOST_VALUES)
      return overflow(offset, `holds more than ${MOST_VALUES} values, aliases counted`);
    if (level > MOST_LEVELS) return overflow(offset, `is nested deeper than ${MOST_LEVELS} levels`);
    return content(node, path, offset, level);
  }

  function content(node: Node | null, path: readonly PropertyKey[], offset: number, level: number): unknown {
    if (node === null) return null;
    if (isAlias(node)) {
      const target = targets.get(node);
      if (target !== undefined) return content(target, path, offset, level);
      return refuse(offset, `uses the alias ${shown(node.source)}, which no anchor before it defines`);
    }
    if ('tag' in node && node.tag !== undefined)
      return refuse(offset, `uses the tag ${shown(String(node.tag))}; tags are not read`);
    if (isScalar(node)) return node.value;
    if (isSeq<Node | null>(node)) {
      return node.items.map(
        (item, index) => within() && convert(item, [...path, index], undefined, level + 1),
      );
    }
    if (isMap<unknown, Node | null>(node)) return mapping(node.items, path, level);
    return refuse(offset, 'is of a kind that is not read');
  }

  function mapping(
    pairs: readonly Pair<unknown, Node | null>[],
    path: readonly PropertyKey[],
    level: number,
  ): unknown {
    const result: Record<string, unknown> = {};
    const seen = new Map<string, number>();
    for (const { key, value } of pairs) {
      if (!within()) break;
      const offset = offsetOf(key) ?? 0;
      const name = isScalar(key) ? key.value : undefined;
      const earlier = typeof name === 'string' ? seen.get(name) : undefined;
      if (typeof name !== 'string') refuse(offset, 'has a key that is not a text; put it in quotes');
      else if (earlier !== undefined)
        refused.push({ offset, says: `repeats the key ${shown(name)}, which is already there`, earlier });
      else if (name === '<<') refuse(offset, 'uses a merge key (<<), which is not read; write the keys out');
      else if (name === '__proto__') refuse(offset, 'has the key "__proto__", which is never allowed');
      else {
        seen.set(name, offset);
        result[name] = convert(value, [...path, name], offset, level + 1);
      }
    }
    return result;
  }

  function refuse(offset: number, says: string): undefined {
    refused.push({ offset, says });
  }

  /** Stops the whole conversion: `within` is false from here on. */
  function overflow(offset: number, says: string): undefined {
    if (within()) refuse(offset, says);
    values = Number.POSITIVE_INFINITY;
  }

  const within = () => Number.isFinite(values);
  const value = document.contents === null ? undefined : convert(document.contents, [], undefined, 0);
  return { value, offsets, refused };
}

/** The last anchor of that name before the alias; found in one walk, however many there are. */
function aliasTargets(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node as Node);
        return;
      }
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
    },
  });
  return targets;
}

function offsetOf(node: unknown): number | undefined {
  const { range } = (node ?? {}) as { range?: readonly number[] | null };
  return range?.[0];
}
