/**
 * Parses YAML to plain data with the location of every key and value. Rejects features that
 * configuration does not need.
 */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml';
import { quoteText } from '../core/model/fault.ts';
import type { ConfigCheck, ConfigProblem } from './problem.ts';

export interface YamlFile {
  readonly path: string;
  /** Undefined for an empty file. */
  readonly value: unknown;
  /** Location of the key or entry at this path, or of its nearest existing parent. */
  getKeyPosition(path: readonly PropertyKey[]): YamlPosition;
  getValuePosition(path: readonly PropertyKey[]): YamlPosition;
}

/**
 * YAML forbids these characters in a file. They would also disturb the terminal that shows a
 * message.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const CONTROL_CHARACTER = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

export function readYaml(text: string, path: string): ConfigCheck<YamlFile> {
  const lines = new LineCounter();
  const toPosition = (offset: number): YamlPosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const createProblem = (offset: number, message: string): ConfigProblem => ({
    code: 'config.syntax',
    where: formatPosition(path, toPosition(offset)),
    message,
  });

  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    // The library would compare each key with all others. The conversion below finds duplicates
    // with a map.
    uniqueKeys: false,
    merge: false,
    schema: 'core',
    logLevel: 'error',
  });
  const control = CONTROL_CHARACTER.exec(text);
  if (control !== null) {
    const hex = control[0].charCodeAt(0).toString(16).padStart(2, '0');
    return { ok: false, problems: [createProblem(control.index, `contains the control character 0x${hex}`)] };
  }
  const errors = findSyntaxErrors(document).map(({ offset, message }) => createProblem(offset, message));
  if (errors.length > 0) return { ok: false, problems: errors };

  const data = toPlainData(document);
  if (data.refused.length > 0) {
    const problems = data.refused.map(({ offset, message, earlier }) =>
      createProblem(
        offset,
        earlier === undefined ? message : `${message} on line ${toPosition(earlier).line}`,
      ),
    );
    return { ok: false, problems };
  }
  const createLookup = (which: 'key' | 'value') => (path: readonly PropertyKey[]) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const offsets = data.offsets.get(JSON.stringify(path.slice(0, length)));
      if (offsets !== undefined) return toPosition(offsets[which]);
    }
    return toPosition(0);
  };
  const file = {
    path,
    value: data.value,
    getKeyPosition: createLookup('key'),
    getValuePosition: createLookup('value'),
  };
  return { ok: true, value: file };
}

/**
 * When the parser runs out of stack, every nesting level reports the error again; only the first
 * report is kept.
 */
function findSyntaxErrors(document: Document.Parsed): { offset: number; message: string }[] {
  if (document.directives.yaml.version !== '1.2') {
    return [{ offset: 0, message: 'requests YAML 1.1; only YAML 1.2 is supported' }];
  }
  const byOffset = document.errors.map(({ code, message, pos }) => ({
    offset: pos[0],
    message: SYNTAX_MESSAGES.get(code) ?? `is not valid YAML: ${message}`,
    code,
  }));
  const exhausted = byOffset.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  return exhausted === undefined ? byOffset : [exhausted];
}

const SYNTAX_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['RESOURCE_EXHAUSTION', 'is nested too deeply'],
  ['MULTIPLE_DOCS', 'begins a second document with "---"; only one is allowed'],
  ['TAB_AS_INDENT', 'is indented with a tab; YAML allows only spaces'],
]);

/** Line and column, both counted from 1 as in editors. */
export interface YamlPosition {
  readonly line: number;
  readonly column: number;
}

/** Formats a location in a file. */
export function formatPosition(file: string, { line, column }: YamlPosition): string {
  return `${file}:${line}:${column}`;
}

/**
 * A large configuration has a few hundred values. The values of an alias are counted again each
 * time it is used.
 */
const MAX_VALUES = 10_000;

/** Legion's deepest key is on the fourth level. */
const MAX_LEVELS = 32;

interface PlainData {
  readonly value: unknown;
  /** Keyed by path as JSON. An alias has the location where it is used, not that of its anchor. */
  readonly offsets: ReadonlyMap<string, { readonly key: number; readonly value: number }>;
  readonly refused: readonly RefusedNode[];
}

interface RefusedNode {
  readonly offset: number;
  readonly message: string;
  /** Location of the earlier use of the same key. */
  readonly earlier?: number;
}

/** Converts a parsed YAML document to plain data, with limits on values, aliases and nesting. */
function toPlainData(document: Document.Parsed): PlainData {
  const offsets = new Map<string, { key: number; value: number }>();
  const refused: RefusedNode[] = [];
  const targets = resolveAliases(document);
  let values = 0;

  /**
   * Converts a node to plain data. Returns undefined if a limit is exceeded, which ends the whole
   * conversion.
   */
  function convert(
    node: Node | null,
    path: readonly PropertyKey[],
    key: number | undefined,
    level: number,
  ): unknown {
    const offset = findOffset(node) ?? key ?? 0;
    offsets.set(JSON.stringify(path), { key: key ?? offset, value: offset });
    values += 1;
    if (values > MAX_VALUES)
      return stopConversion(offset, `has more than ${MAX_VALUES} values, including aliases`);
    if (level > MAX_LEVELS) return stopConversion(offset, `is nested deeper than ${MAX_LEVELS} levels`);
    return convertNode(node, path, offset, level);
  }

  function convertNode(
    node: Node | null,
    path: readonly PropertyKey[],
    offset: number,
    level: number,
  ): unknown {
    if (node === null) return null;
    if (isAlias(node)) {
      const target = targets.get(node);
      if (target !== undefined) return convertNode(target, path, offset, level);
      return refuse(offset, `uses the alias ${quoteText(node.source)}, which no anchor before it defines`);
    }
    if ('tag' in node && node.tag !== undefined)
      return refuse(offset, `uses the tag ${quoteText(String(node.tag))}; tags are not supported`);
    if (isScalar(node)) return node.value;
    if (isSeq<Node | null>(node)) {
      return node.items.map(
        (item, index) => isWithinLimits() && convert(item, [...path, index], undefined, level + 1),
      );
    }
    if (isMap<unknown, Node | null>(node)) return convertMapping(node.items, path, level);
    return refuse(offset, 'is a YAML node of an unsupported kind');
  }

  function convertMapping(
    pairs: readonly Pair<unknown, Node | null>[],
    path: readonly PropertyKey[],
    level: number,
  ): unknown {
    const result: Record<string, unknown> = {};
    const firstOffsets = new Map<string, number>();
    for (const { key, value } of pairs) {
      if (!isWithinLimits()) break;
      const offset = findOffset(key) ?? 0;
      const name = isScalar(key) ? key.value : undefined;
      const earlier = typeof name === 'string' ? firstOffsets.get(name) : undefined;
      if (typeof name !== 'string') refuse(offset, 'has a key that is not text; put it in quotes');
      else if (earlier !== undefined)
        refused.push({
          offset,
          message: `repeats the key ${quoteText(name)}, which is already defined`,
          earlier,
        });
      else if (name === '<<')
        refuse(offset, 'uses a merge key (<<), which is not supported; write the keys out');
      else if (name === '__proto__') refuse(offset, 'has the key "__proto__", which is never allowed');
      else {
        firstOffsets.set(name, offset);
        result[name] = convert(value, [...path, name], offset, level + 1);
      }
    }
    return result;
  }

  function refuse(offset: number, message: string): undefined {
    refused.push({ offset, message });
  }

  /** Stops the whole conversion: `isWithinLimits` is false from here on. */
  function stopConversion(offset: number, message: string): undefined {
    if (isWithinLimits()) refuse(offset, message);
    values = Number.POSITIVE_INFINITY;
  }

  const isWithinLimits = () => Number.isFinite(values);
  const value = document.contents === null ? undefined : convert(document.contents, [], undefined, 0);
  return { value, offsets, refused };
}

/** In a single walk, maps each alias to the last preceding anchor with the same name. */
function resolveAliases(document: Document.Parsed): ReadonlyMap<Alias, Node> {
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

function findOffset(node: unknown): number | undefined {
  const { range } = (node ?? {}) as { range?: readonly number[] | null };
  return range?.[0];
}
