/** Lists every import of a module: static, re-exported, dynamic and `import('…')` in a type. */
import type { Node } from 'oxc-parser';
import { everyNode, lineOf, type SourceModule } from './source-module.ts';

export interface Import {
  /** Undefined for a computed path. */
  readonly specifier: string | undefined;
  /** The imported names. Undefined means all of them. */
  readonly names: readonly string[] | undefined;
  readonly line: number;
}

/**
 * Lists all imports, including type imports, because knowing another module's types is a
 * dependency.
 */
export function listImports(module: SourceModule): readonly Import[] {
  return [...everyNode(module.program)].flatMap((node) => {
    const source = findSource(node);
    if (source === undefined) return [];
    const specifier =
      source.type === 'Literal' && typeof source.value === 'string' ? source.value : undefined;
    return [{ specifier, names: listImportedNames(node), line: lineOf(module, node) }];
  });
}

function findSource(node: Node): Node | undefined {
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

function listImportedNames(node: Node): readonly string[] | undefined {
  if (node.type === 'ExportNamedDeclaration') return node.specifiers.map(({ local }) => toName(local));
  if (node.type !== 'ImportDeclaration') return undefined;
  if (node.specifiers.some(({ type }) => type === 'ImportNamespaceSpecifier')) return undefined;
  return node.specifiers.map((taken) =>
    taken.type === 'ImportSpecifier' ? toName(taken.imported) : 'default',
  );
}

function toName(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' ? String(node.value) : '?';
}
