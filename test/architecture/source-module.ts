/** One parsed source file, and a way to walk its syntax tree. */
import { type Comment, type Node, type Program, parseSync, visitorKeys } from 'oxc-parser';

export interface SourceModule {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
  /** Parse errors. If there are any, the rest of the module is unusable. */
  readonly syntaxErrors: readonly string[];
}

export function parseModule(path: string, text: string): SourceModule {
  const parsed = parseSync(path, text, { sourceType: 'module', preserveParens: false });
  return {
    path,
    text,
    program: parsed.program,
    comments: parsed.comments,
    syntaxErrors: parsed.errors.map((error) => error.message),
  };
}

/** Returns the line of the node, counted from 1 as in an editor. */
export function lineOf(module: SourceModule, node: { readonly start: number }): number {
  return module.text.slice(0, node.start).split('\n').length;
}

/** Yields the node itself and everything below it, in source order. */
export function* everyNode(node: Node): Generator<Node> {
  yield node;
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of childrenAt(node, key)) yield* everyNode(child);
  }
}

/**
 * Returns the nodes under a key, whose value may be nothing, one node, or a list of nodes with
 * holes (`[, second]`).
 */
export function childrenAt(node: Node, key: string): readonly Node[] {
  const held: unknown = Reflect.get(node, key);
  return (Array.isArray(held) ? held : [held]).filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
