/** Every way a module names another: import, re-export, dynamic import and `import('…')` in a type. */
import type { Node } from 'oxc-parser';
import { everyNode, lineOf, type SourceModule } from './source-module.ts';

export interface Import {
  /** Undefined where the path is computed, so that nobody can tell where the arrow goes. */
  readonly specifier: string | undefined;
  /** The names taken; undefined means all of them. */
  readonly names: readonly string[] | undefined;
  readonly line: number;
}

/** An import of a type alone counts too: knowing another room's words is knowing the room. */
export function importsOf(module: SourceModule): readonly Import[] {
  return [...everyNode(module.program)].flatMap((node) => {
    const source = sourceOf(node);
    if (source === undefined) return [];
    const specifier =
      source.type === 'Literal' && typeof source.value === 'string' ? source.value : undefined;
    return [{ specifier, names: namesTaken(node), line: lineOf(module, node) }];
  });
}

function sourceOf(node: Node): Node | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source;
    case 'ExportNamedDeclaration':
      return node.source ?? undefined;
    case 'TSExternalModuleReference':
      return node.expression;
    default:
      return undefined;
  }
}

function namesTaken(node: Node): readonly string[] | undefined {
  if (node.type === 'ExportNamedDeclaration') return node.specifiers.map(({ local }) => nameOf(local));
  if (node.type !== 'ImportDeclaration') return undefined;
  if (node.specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')) return undefined;
  return node.specifiers.map((taken) =>
    taken.type === 'ImportSpecifier' ? nameOf(taken.imported) : 'default',
  );
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' ? String(node.value) : '?';
}
